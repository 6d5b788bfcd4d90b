-- One table for each day of 2024. [a..b] before a comma keeps a column, or a field, to these days.
CREATE TABLE web.visits_{day} (
    visit_id BIGINT,
    visitor_id TEXT,
    visit_no INTEGER,
    visit_start BIGINT, -- [..20240630]
    visit_start TIMESTAMP, -- [20240701..]
    visit_date TEXT,
    channel_cd TEXT,
    totals STRUCT(visits INTEGER, hits INTEGER, page_views INTEGER, seconds_on_site INTEGER, bounces INTEGER, orders INTEGER, revenue BIGINT, first_visits INTEGER, screen_views INTEGER, seconds_on_screen INTEGER), -- [..20240930]
    totals STRUCT(visits INTEGER, hits INTEGER, page_views INTEGER, seconds_on_site INTEGER, bounces INTEGER, orders INTEGER, revenue BIGINT, first_visits INTEGER, screen_views INTEGER, seconds_on_screen INTEGER, session_score INTEGER), -- [20241001..]
    traffic STRUCT(source TEXT, medium TEXT, campaign TEXT, keyword TEXT, ad_content TEXT, referral_path TEXT, is_direct BOOLEAN, ad_click STRUCT(campaign_id INTEGER, group_id INTEGER, creative_id INTEGER, click_id TEXT, network TEXT, slot TEXT, page INTEGER, is_video BOOLEAN)),
    device STRUCT(category TEXT, browser TEXT, browser_version TEXT, browser_size TEXT, os TEXT, os_version TEXT, is_mobile BOOLEAN, brand TEXT, model TEXT, marketing_name TEXT, input_method TEXT, language TEXT, screen_colors TEXT, screen_size TEXT),
    geo STRUCT(continent TEXT, sub_continent TEXT, country TEXT, region TEXT, metro TEXT, city TEXT, city_id TEXT, network_domain TEXT, network_location TEXT, latitude TEXT, longitude TEXT),
    custom_dims STRUCT(idx INTEGER, val TEXT)[],
    hits STRUCT(
        hit_no INTEGER, type TEXT, ms INTEGER, hour INTEGER, minute INTEGER, is_entrance BOOLEAN, is_exit BOOLEAN,
        is_interaction BOOLEAN, is_secure BOOLEAN, referer TEXT, data_source TEXT,
        page STRUCT(path TEXT, host TEXT, title TEXT, search_term TEXT, search_category TEXT, level1 TEXT, level2 TEXT, level3 TEXT, level4 TEXT),
        event STRUCT(category TEXT, action TEXT, label TEXT, value INTEGER),
        action STRUCT(code TEXT, step INTEGER, option TEXT),
        trans STRUCT(id TEXT, revenue BIGINT, tax BIGINT, shipping BIGINT, affiliation TEXT, currency TEXT, coupon TEXT),
        products STRUCT(
            sku TEXT, name TEXT, line TEXT, variant TEXT, brand TEXT, price BIGINT, quantity INTEGER, revenue BIGINT,
            refund_amount BIGINT, is_impression BOOLEAN, is_click BOOLEAN, list_name TEXT, list_position INTEGER,
            custom_dims STRUCT(idx INTEGER, val TEXT)[], custom_metrics STRUCT(idx INTEGER, val INTEGER)[])[],
        promos STRUCT(id TEXT, name TEXT, creative TEXT, position TEXT, is_view BOOLEAN, is_click BOOLEAN)[],
        refund STRUCT(amount BIGINT, local_amount BIGINT),
        experiments STRUCT(id TEXT, variant TEXT)[],
        app STRUCT(name TEXT, version TEXT, id TEXT, screen TEXT, landing_screen TEXT, exit_screen TEXT, depth TEXT),
        error STRUCT(text TEXT, is_fatal BOOLEAN),
        social STRUCT(network TEXT, action TEXT, target TEXT, interactions INTEGER),
        timing STRUCT(load_ms INTEGER, download_ms INTEGER, redirect_ms INTEGER, lookup_ms INTEGER, connect_ms INTEGER, response_ms INTEGER, dom_ms INTEGER, sample INTEGER),
        content_groups STRUCT(group1 TEXT, group2 TEXT, group3 TEXT, previous1 TEXT, previous2 TEXT, previous3 TEXT),
        custom_dims STRUCT(idx INTEGER, val TEXT)[],
        custom_metrics STRUCT(idx INTEGER, val INTEGER)[])[],
    user_id TEXT,
    consent STRUCT(ads BOOLEAN, analytics BOOLEAN, policy TEXT), -- [20240408..]
    exp_arm TEXT -- [20241111..20241124]
);
