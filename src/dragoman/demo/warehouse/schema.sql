-- The warehouse but for its daily tables (visits.sql). Behind each column stands how its values are drawn (draw.py),
-- and behind a second pair of dashes its comment, if it has one. A table's name with {a..b} stands for one table each;
-- [a..b] before a rule keeps the column to these. Rows of "lookup" tables stand in lookups.json.

CREATE TABLE ref.ctry ( -- lookup
    ctry_cd TEXT PRIMARY KEY,
    iso3 TEXT,
    ctry_nm TEXT,
    cont_cd TEXT,
    cur_cd TEXT,
    lang_cd TEXT,
    eu_flg BOOLEAN,
    vat_rt DECIMAL(4, 2)
);

CREATE TABLE ref.rgn ( -- lookup -- sales regions; several a country
    rgn_cd TEXT PRIMARY KEY,
    rgn_nm TEXT,
    ctry_cd TEXT REFERENCES ref.ctry (ctry_cd),
    zone_cd TEXT,
    hq_city TEXT,
    open_dt DATE
);

CREATE TABLE ref.cd_val ( -- lookup -- what the codes of all systems mean, by domain
    dom_cd TEXT,
    cd TEXT,
    txt TEXT,
    srt_no INTEGER
);

CREATE TABLE ref.fx_rt ( -- 96
    rt_mth INTEGER, -- every 8 202401 202402 202403 202404 202405 202406 202407 202408 202409 202410 202411 202412 -- YYYYMM
    cur_cd TEXT, -- cycle GBP SEK DKK PLN CZK CHF USD NOK
    eur_rt DECIMAL(10, 4), -- money 0 2 -- euro for one unit
    src_cd TEXT -- weighted ECB:9 MAN:1
);

CREATE TABLE ref.sys_prm ( -- 40
    prm_no INTEGER PRIMARY KEY, -- serial 1
    prm_ky TEXT, -- text prm.{:02d}
    prm_vl TEXT, -- text {:d}
    chg_ts TIMESTAMP, -- moment 2023-01-01 2024-12-31
    chg_by TEXT, -- one of batch etl admin
    actv_flg BOOLEAN -- flag 0.8
);

CREATE TABLE prod.pl ( -- lookup
    pl_cd TEXT PRIMARY KEY,
    pl_nm TEXT,
    div_cd TEXT,
    lnch_yr INTEGER,
    end_yr INTEGER
);

CREATE TABLE prod.supp ( -- 60
    supp_no INTEGER PRIMARY KEY, -- serial 7001
    supp_nm TEXT, -- text Supplier {:d}
    ctry_cd TEXT, -- one of DE IT PL CZ SE FR
    rtg_cd TEXT, -- weighted A:4 B:5 C:2 X:1
    lead_dy INTEGER, -- number 3 60
    pay_trm_cd TEXT, -- one of N30 N45 N60
    min_ord_amt DECIMAL(10, 2), -- money 50 900
    iso_9001 BOOLEAN, -- flag 0.7
    edi_flg TEXT, -- weighted Y:6 N:3 -:1
    onb_dt DATE, -- day 2012-01-01 2022-12-31
    cntct_eml TEXT, -- text orders{:d}@supplier.example
    blk_rsn_cd TEXT -- chance 0.1 one of QL PR IN
);

CREATE TABLE prod.itm_mst ( -- 420 -- items as the planning system holds them
    sku TEXT PRIMARY KEY, -- text M{:05d}
    itm_nm TEXT, -- name machines
    pl_cd TEXT REFERENCES prod.pl (pl_cd), -- weighted KX:6 KB:5 WD:7 WS:5 GM:4 HV:4 SP:9 AC:8 OL:1
    itm_typ_cd TEXT, -- weighted F:6 S:3 B:1 -- F, S or B
    lc_st TEXT, -- weighted 20:7 30:1 40:2 10:1
    supp_no INTEGER REFERENCES prod.supp (supp_no), -- from prod.supp.supp_no
    lst_prc DECIMAL(10, 2), -- money 8 900 -- euro, without tax
    std_cst DECIMAL(10, 2), -- scaled lst_prc 0.35 0.8
    uom_cd TEXT, -- weighted PC:8 ST:1 KG:1
    pck_qty INTEGER, -- weighted 1:7 2:1 6:1 12:1
    wgt_g INTEGER, -- number 80 24000
    len_mm INTEGER, -- number 40 1200
    wid_mm INTEGER, -- number 30 800
    hgt_mm INTEGER, -- number 20 700
    clr_cd TEXT, -- one of BK WH RD GR SL BL
    ean TEXT, -- text 40{:011d}
    hs_cd TEXT, -- one of 850940 846721 846729 843311 850811
    org_ctry_cd TEXT, -- one of DE IT PL CZ CN
    haz_cls TEXT, -- weighted -:8 9:1 3:1
    bat_flg BOOLEAN, -- flag 0.3
    wrty_mth INTEGER, -- weighted 24:6 36:2 60:1 12:1
    spec STRUCT(volt INTEGER, watt INTEGER, rpm INTEGER, mat TEXT, noise STRUCT(db INTEGER, std TEXT)), -- record volt=weighted 230:7 18:3; watt=number 150 2600; rpm=number 300 18000; mat=one of steel aluminium abs; noise=record db=number 48 102, std=one of EN60335 EN62841
    tags TEXT[], -- list 3 one of quiet cordless pro eco new bundle refurbished
    intr_dt DATE, -- day 2015-01-01 2024-06-30
    eol_dt DATE, -- chance 0.2 day 2024-01-01 2024-12-31
    rop_qty INTEGER, -- number 2 200
    lot_flg BOOLEAN, -- flag 0.2
    abc_cls TEXT, -- weighted A:2 B:3 C:5
    xyz_cls TEXT, -- weighted X:3 Y:4 Z:3
    plnr_no INTEGER, -- number 501 512
    att_{01..20} TEXT -- chance 0.5 one of A1 A2 B1 B2 C0
);

CREATE TABLE prod.bom ( -- 900
    bom_no INTEGER PRIMARY KEY, -- serial 1
    par_sku TEXT, -- from prod.itm_mst.sku
    cmp_sku TEXT, -- from prod.itm_mst.sku
    cmp_qty DECIMAL(8, 2), -- money 1 12
    scrp_pct DECIMAL(5, 2), -- money 0 6
    vld_fr DATE, -- day 2018-01-01 2023-12-31
    vld_to DATE, -- weighted 9999-12-31:8 2024-06-30:1 2023-12-31:1
    alt_grp TEXT -- chance 0.2 one of A B
);

CREATE TABLE prod.prc_hist ( -- 1500
    sku TEXT, -- from prod.itm_mst.sku
    prc_typ TEXT, -- weighted L:5 P:3 D:2
    vld_fr DATE, -- day 2022-01-01 2024-09-30
    prc_amt DECIMAL(10, 2), -- money 5 900
    cur_cd TEXT, -- weighted EUR:8 SEK:1 PLN:1
    appr_by INTEGER -- number 501 512
);

CREATE TABLE sales.cust_mst ( -- 1600
    cust_no INTEGER PRIMARY KEY, -- serial 100001
    cust_typ TEXT, -- weighted P:70 B:20 D:9 T:1
    sgm_cd TEXT, -- weighted S1:5 S2:3 S3:2 S9:1
    tier_cd TEXT, -- weighted 0:5 1:3 2:2 3:1
    ctry_cd TEXT, -- weighted DE:30 FR:14 SE:9 PL:9 IT:9 CZ:6 DK:6 AT:6 GB:6 CH:5
    rgn_cd TEXT, -- of ref.rgn.rgn_cd ctry_cd
    sgnup_dt TEXT, -- written %Y%m%d day 2016-01-01 2024-12-20
    brth_yr INTEGER, -- chance 0.6 number 1940 2005
    gndr_cd TEXT, -- weighted 1:45 2:45 9:10
    nl_opt TEXT, -- weighted J:5 N:4 ?:1
    cr_lmt INTEGER, -- weighted 0:6 500:2 5000:1 20000:1
    cr_blk TEXT, -- chance 0.05 one of X T
    src_sys TEXT, -- weighted CRM2:7 LEG:2 POS:1
    mrg_to INTEGER, -- chance 0.02 number 100001 101600 -- number of the customer that this one was merged into
    del_flg TEXT, -- weighted N:97 Y:3
    lst_ord_dt DATE, -- chance 0.7 day 2023-01-01 2024-12-31
    vat_id TEXT, -- chance 0.2 text EU{:09d}
    pref_lang TEXT, -- one of de fr sv pl it cs da en
    pref_ch TEXT, -- weighted EM:6 PO:2 PH:1 NO:1
    dlr_grp TEXT, -- chance 0.1 one of ALPHA BERG NORD
    cns STRUCT(mail BOOLEAN, phone BOOLEAN, profiling BOOLEAN, ver TEXT), -- record mail=flag 0.6; phone=flag 0.2; profiling=flag 0.4; ver=one of 1.0 1.1 2.0
    ext_id_{1..6} TEXT -- chance 0.3 text X{:06d}
);

CREATE TABLE sales.dlr ( -- 110 -- dealers
    dlr_no INTEGER PRIMARY KEY, -- serial 5001
    cust_no INTEGER REFERENCES sales.cust_mst (cust_no), -- from sales.cust_mst.cust_no
    rgn_cd TEXT, -- of sales.cust_mst.rgn_cd cust_no
    lvl_cd TEXT, -- weighted L1:5 L2:3 L3:1
    bns_pct DECIMAL(5, 2), -- money 0 9
    sgn_dt DATE, -- day 2012-01-01 2023-12-31
    trm_dt DATE, -- chance 0.15 day 2024-01-01 2024-12-31
    trn_flg TEXT, -- weighted Y:6 N:4
    pls TEXT[], -- list 4 one of KX KB WD WS GM HV
    shw_m2 INTEGER, -- number 20 900
    lst_vst DATE, -- chance 0.8 day 2023-06-01 2024-12-31
    crd_ins INTEGER, -- weighted 0:4 10000:3 50000:2
    tgt_{01..12} INTEGER -- number 1000 50000
);

CREATE TABLE sales.cust_adr ( -- 2100
    adr_no INTEGER PRIMARY KEY, -- serial 1
    cust_no INTEGER REFERENCES sales.cust_mst (cust_no), -- from sales.cust_mst.cust_no
    adr_typ TEXT, -- weighted I:4 S:5 O:1
    city TEXT, -- name cities
    pst_cd TEXT, -- text {:05d}
    prm_flg BOOLEAN, -- flag 0.7
    vld_fr DATE, -- day 2016-01-01 2023-12-31
    vld_to DATE, -- weighted 9999-12-31:9 2024-05-31:1
    geo_lat DECIMAL(8, 4), -- money 45 59
    geo_lon DECIMAL(8, 4) -- money 5 20
);

CREATE TABLE sales.ord_hdr_{2021..2024} ( -- 1300 -- one row an order; a table a year
    ord_no INTEGER PRIMARY KEY, -- serial 1 shard -- the year and a running number
    cust_no INTEGER, -- popular sales.cust_mst.cust_no
    ord_dt DATE, -- day
    ord_ts TIMESTAMP, -- same ord_dt 86399
    chnl_cd TEXT, -- weighted W:50 D:20 T:15 M:10 X:5
    st_cd TEXT, -- weighted 70:70 60:8 90:8 35:6 20:4 10:4
    rgn_cd TEXT, -- of sales.cust_mst.rgn_cd cust_no
    cur_cd TEXT, -- weighted EUR:8 SEK:1 PLN:1
    pay_mt TEXT, -- weighted 01:4 02:3 05:2 07:1
    pay_trm INTEGER, -- weighted 0:6 14:2 30:2
    frt_amt DECIMAL(8, 2), -- weighted 0.00:4 4.90:4 9.90:2 29.00:1
    hdr_dsc_pct DECIMAL(5, 2), -- weighted 0.00:7 5.00:2 10.00:1
    vchr_cd TEXT, -- chance 0.12 one of SPRING24 WELCOME BDAY DLR10
    inco TEXT, -- one of DAP EXW FCA
    prio TEXT, -- weighted 3:8 2:1 1:1
    slsrep_no INTEGER, -- chance 0.4 number 801 840
    whs_cd TEXT, -- weighted HH1:5 LY2:3 PZ1:2
    prm_dt DATE, -- plus ord_dt 2 12
    cncl_rsn TEXT, -- when st_cd 90 one of C1 C2 C3 C9
    cncl_dt DATE, -- when st_cd 90 plus ord_dt 0 6
    ext_ref TEXT, -- chance 0.3 text EXT{:07d}
    gift_flg TEXT, -- weighted N:9 Y:1
    tst_flg TEXT, -- weighted -:98 X:2
    b2b_flg INTEGER, -- [..2022] weighted 0:8 1:2
    b2b_flg BOOLEAN, -- [2023..] flag 0.2
    co2_g INTEGER, -- [2023..] number 200 9000
    app_ver TEXT, -- [2024..] chance 0.3 one of 5.1 5.2 6.0
    upd_ts TIMESTAMP, -- same ord_dt 86399
    upd_by TEXT -- one of batch web crm
);

CREATE TABLE sales.ord_ln_{2021..2024} ( -- 3600 -- lines of the orders of the year
    ord_no INTEGER, -- from sales.ord_hdr_{}.ord_no
    ln_no INTEGER, -- nth ord_no
    sku TEXT, -- popular prod.itm_mst.sku
    qty INTEGER, -- weighted 1:12 2:4 3:1 5:1
    unt_prc DECIMAL(10, 2), -- of prod.itm_mst.lst_prc sku -- in euro, before discounts
    dsc_pct DECIMAL(5, 2), -- weighted 0.00:7 5.00:1 10.00:1 20.00:1
    tax_cd TEXT, -- weighted V1:8 V2:1 V0:1
    ln_st TEXT, -- weighted D:85 C:6 B:5 R:4
    rtn_qty INTEGER, -- when ln_st R number 1 1
    rtn_rsn TEXT, -- when ln_st R weighted 11:4 12:3 14:2 19:1
    whs_cd TEXT, -- weighted HH1:5 LY2:3 PZ1:2
    pck_ts TIMESTAMP, -- chance 0.9 moment
    srl_no TEXT, -- chance 0.3 text SN{:08d}
    cst_amt DECIMAL(10, 2), -- scaled unt_prc 0.4 0.8
    promo_id INTEGER, -- chance 0.15 number 1 24
    kit_flg BOOLEAN, -- flag 0.05
    wrty_ext INTEGER -- [2023..] weighted 0:9 12:1
);

CREATE TABLE sales.pay_txn_{2024q1..2024q4} ( -- 700
    txn_id INTEGER PRIMARY KEY, -- serial 1 shard
    ord_no INTEGER, -- from sales.ord_hdr_2024.ord_no during ord_dt
    txn_ts TIMESTAMP, -- moment
    mt_cd TEXT, -- weighted 01:4 02:3 05:2 07:1
    txn_typ TEXT, -- weighted C:8 R:1 A:2
    amt_ct INTEGER, -- number 500 90000 -- euro cents
    rsp_cd TEXT, -- weighted 00:88 05:5 51:4 91:3
    psp TEXT, -- one of adn srp
    thr_ds TEXT, -- weighted Y:5 N:3 A:2
    crd_ctry TEXT, -- one of DE FR SE PL IT US
    rsk_scr INTEGER, -- number 0 99
    stl_dt DATE -- day
);

CREATE TABLE sales.quota ( -- 240
    rgn_cd TEXT, -- from ref.rgn.rgn_cd
    qtr_cd TEXT, -- one of 2024Q1 2024Q2 2024Q3 2024Q4
    pl_cd TEXT, -- from prod.pl.pl_cd
    qta_amt DECIMAL(12, 2), -- money 10000 200000
    ver_no INTEGER, -- weighted 1:6 2:3 3:1
    frz_flg BOOLEAN -- flag 0.5
);

CREATE TABLE logi.carr ( -- lookup
    carr_cd TEXT PRIMARY KEY,
    carr_nm TEXT,
    svc_lvl TEXT,
    trk_url TEXT
);

CREATE TABLE logi.whs ( -- lookup
    whs_cd TEXT PRIMARY KEY,
    whs_nm TEXT,
    ctry_cd TEXT,
    cap_m3 INTEGER,
    typ_cd TEXT
);

CREATE TABLE logi.shp_{202401..202412} ( -- 160 -- parcels handed over in the month
    shp_no INTEGER PRIMARY KEY, -- serial 1 shard
    ord_no INTEGER, -- from sales.ord_hdr_2024.ord_no during ord_dt
    carr_cd TEXT, -- from logi.carr.carr_cd
    whs_cd TEXT, -- from logi.whs.whs_cd
    shp_st TEXT, -- weighted DL:80 IT:8 EX:5 RT:4 LS:3
    hnd_ts TIMESTAMP, -- moment
    dlv_ts TIMESTAMP, -- when shp_st DL plus hnd_ts 10 190 hours
    prm_ts TIMESTAMP, -- plus hnd_ts 48 96 hours
    prc_cnt INTEGER, -- weighted 1:8 2:1 3:1
    wgt_g INTEGER, -- number 200 30000
    vol_l DECIMAL(8, 2), -- money 1 120
    frt_cst DECIMAL(8, 2), -- money 3 40
    zone TEXT, -- one of Z1 Z2 Z3 Z4
    ins_flg BOOLEAN, -- flag 0.1
    dmg_cd TEXT, -- chance 0.06 one of A B C
    pod_nm TEXT, -- chance 0.5 one of resident neighbour locker
    evts STRUCT(cd TEXT, ts TIMESTAMP, loc TEXT)[], -- list 5 record cd=one of PU HB TR OD DL EX; ts=moment; loc=name cities
    lbl_{1..4} TEXT -- chance 0.4 text L{:06d}
);

CREATE TABLE logi.stk_{2024_01..2024_12} ( -- 420 -- stock at the end of the month
    sku TEXT, -- from prod.itm_mst.sku
    whs_cd TEXT, -- from logi.whs.whs_cd
    oh_qty INTEGER, -- number 0 400
    rsv_qty INTEGER, -- number 0 40
    blk_qty INTEGER, -- weighted 0:9 5:1 12:1
    avl_flg TEXT, -- weighted Y:9 N:1
    lst_cnt_dt DATE, -- day
    bin_{01..06} TEXT -- chance 0.3 text B{:05d}
);

CREATE TABLE svc.tkt ( -- 1100
    tkt_no INTEGER PRIMARY KEY, -- serial 300001
    cust_no INTEGER, -- from sales.cust_mst.cust_no
    sku TEXT, -- chance 0.8 from prod.itm_mst.sku
    opn_ts TIMESTAMP, -- moment 2024-01-01 2024-12-31
    cls_ts TIMESTAMP, -- chance 0.85 plus opn_ts 1 400 hours
    ch_cd TEXT, -- weighted M:4 P:3 C:2 S:1
    prio_cd TEXT, -- weighted 4:2 3:5 2:2 1:1
    cat_cd TEXT, -- weighted T10:4 T20:3 T30:2 T45:1 T90:1
    st_cd TEXT, -- weighted C:8 O:1 W:1 D:1
    agt_no INTEGER, -- number 801 840
    fcr_flg BOOLEAN, -- flag 0.45
    csat INTEGER, -- chance 0.4 number 1 5
    esc_lvl INTEGER, -- weighted 0:8 1:1 2:1
    meta JSON, -- record lang=one of de fr sv pl; app=record os=one of ios android web, ver=one of 5.1 5.2 6.0; hops=number 0 4
    msg_cnt INTEGER, -- number 1 14
    rsn_txt TEXT, -- chance 0.5 name complaints
    par_tkt INTEGER, -- chance 0.05 number 300001 301100
    sla_min INTEGER -- weighted 240:2 480:5 1440:3
);

CREATE TABLE svc.wrty_clm ( -- 600
    clm_no INTEGER PRIMARY KEY, -- serial 1
    sku TEXT, -- from prod.itm_mst.sku
    cust_no INTEGER, -- from sales.cust_mst.cust_no
    clm_dt DATE, -- day 2023-01-01 2024-12-31
    flt_cd TEXT, -- weighted F01:4 F02:3 F07:2 F11:2 F99:1
    rs_cd TEXT, -- weighted A:5 P:2 R:2 G:1
    lab_min INTEGER, -- number 10 240
    prt_amt DECIMAL(8, 2), -- money 0 180
    frt_amt DECIMAL(8, 2), -- money 0 30
    dpt_no INTEGER, -- number 1 12
    rep_qty INTEGER, -- weighted 0:7 1:2 2:1
    srl_no TEXT, -- text SN{:08d}
    prts TEXT[] -- list 3 one of MOTOR CORD BLADE SWITCH SEAL GEAR
);

CREATE TABLE svc.dpt ( -- 12
    dpt_no INTEGER PRIMARY KEY, -- serial 1
    city TEXT, -- name cities
    rgn_cd TEXT, -- from ref.rgn.rgn_cd
    bay_cnt INTEGER, -- number 2 14
    opn_dt DATE, -- day 2009-01-01 2020-12-31
    prtn_flg TEXT -- weighted O:7 P:5
);

CREATE TABLE svc.tele_{2024q1..2024q4} ( -- 180 -- what connected machines reported in the quarter
    dev_id INTEGER, -- number 1 400
    sku TEXT, -- from prod.itm_mst.sku
    ts TIMESTAMP, -- moment
    fw TEXT, -- weighted 1.8:5 1.9:3 2.0:1
    s_{01..60} INTEGER, -- chance 0.6 number 0 1000
    err STRUCT(cd TEXT, cnt INTEGER)[], -- list 2 record cd=one of E1 E4 E7; cnt=number 1 9
    ota JSON -- [2024q3..] record ch=one of stable beta; ok=flag 0.9
);

CREATE TABLE svc.sens_def ( -- lookup -- what the sensors of machines measure
    s_cd TEXT PRIMARY KEY,
    s_nm TEXT,
    unit_cd TEXT
);

CREATE TABLE svc.q_def ( -- lookup -- the questions of the survey
    q_cd TEXT PRIMARY KEY,
    q_txt TEXT,
    scl_cd TEXT
);

CREATE TABLE svc.srv_{2024q1..2024q4} ( -- 150 -- answers to the survey of the quarter
    rsp_id INTEGER PRIMARY KEY, -- serial 1 shard
    cust_no INTEGER, -- from sales.cust_mst.cust_no
    rsp_dt DATE, -- day
    q_{01..40} INTEGER, -- chance 0.9 number 1 5
    nps INTEGER, -- number 0 10
    cmt TEXT, -- chance 0.2 name complaints
    q_41 INTEGER -- [2024q3..] number 1 5
);

CREATE TABLE fin.fisc_per ( -- lookup
    per_cd TEXT PRIMARY KEY,
    beg_dt DATE,
    end_dt DATE,
    wk_cnt INTEGER
);

CREATE TABLE fin.gl_acct ( -- lookup
    acct_no INTEGER PRIMARY KEY,
    acct_nm TEXT,
    grp_cd TEXT,
    sgn INTEGER
);

CREATE TABLE fin.cst_ctr ( -- 48
    cc_no INTEGER PRIMARY KEY, -- serial 4001
    cc_nm TEXT, -- text Centre {:d}
    div_cd TEXT, -- one of K W G S
    rgn_cd TEXT, -- from ref.rgn.rgn_cd
    own_no INTEGER, -- number 801 840
    opn_dt DATE, -- day 2010-01-01 2020-12-31
    cls_dt DATE -- chance 0.1 day 2023-01-01 2024-12-31
);

CREATE TABLE fin.gl_jrnl_{2024_01..2024_12} ( -- 320 -- postings of the month
    doc_no INTEGER, -- serial 1 shard
    ln_no INTEGER, -- weighted 1:3 2:2 3:1
    pst_dt DATE, -- day
    acct_no INTEGER, -- from fin.gl_acct.acct_no
    cc_no INTEGER, -- from fin.cst_ctr.cc_no
    dc_ind TEXT, -- weighted S:5 H:5
    amt DECIMAL(12, 2), -- money 10 9000 -- euro, never negative; dc_ind says on which side
    doc_typ TEXT, -- weighted RV:4 KR:3 SA:2 ZZ:1
    rvs_flg TEXT, -- weighted N:96 Y:4
    txt TEXT, -- chance 0.3 text posting {:d}
    tax_cd TEXT, -- weighted V1:7 V0:3
    prj_cd TEXT, -- chance 0.15 one of P-AURORA P-BASALT P-CEDAR
    crt_by TEXT, -- one of batch fi01 fi02
    ref_{1..5} TEXT -- chance 0.2 text R{:06d}
);

CREATE TABLE fin.inv_hdr ( -- 1500
    inv_no INTEGER PRIMARY KEY, -- serial 900001
    ord_no INTEGER, -- from sales.ord_hdr_2024.ord_no
    inv_dt DATE, -- of sales.ord_hdr_2024.ord_dt ord_no
    due_dt DATE, -- plus inv_dt 0 45
    net_ct INTEGER, -- number 900 250000 -- euro cents
    tax_ct INTEGER, -- number 100 40000
    st_cd TEXT, -- weighted P:7 O:2 D:1 C:1
    pd_dt DATE, -- when st_cd P plus inv_dt 0 70
    dun_lvl INTEGER, -- weighted 0:8 1:1 2:1 3:1
    cur_cd TEXT, -- weighted EUR:8 SEK:1 PLN:1
    cc_no INTEGER, -- from fin.cst_ctr.cc_no
    eml_flg BOOLEAN -- flag 0.8
);

CREATE TABLE fin.kpi_def ( -- lookup
    kpi_cd TEXT PRIMARY KEY,
    kpi_nm TEXT,
    unit_cd TEXT
);

CREATE TABLE fin.kpi_mth ( -- 240 -- key figures by region and month
    mth INTEGER, -- every 20 202401 202402 202403 202404 202405 202406 202407 202408 202409 202410 202411 202412
    rgn_cd TEXT, -- cycle R01 R02 R03 R04 R05 R06 R07 R08 R09 R10 R11 R12 R13 R14 R15 R16 R17 R18 R19 R20
    kpi_{001..120} DECIMAL(12, 2), -- money 0 1000
    frz_ts TIMESTAMP -- moment 2024-02-01 2025-01-31
);

CREATE TABLE fin.bdgt ( -- 576
    cc_no INTEGER, -- every 12 @fin.cst_ctr.cc_no
    mth INTEGER, -- cycle 202401 202402 202403 202404 202405 202406 202407 202408 202409 202410 202411 202412
    opx_amt DECIMAL(12, 2), -- money 1000 50000
    cpx_amt DECIMAL(12, 2), -- money 0 9000
    hc_fte DECIMAL(6, 2), -- money 1 30
    ver_cd TEXT -- weighted B1:6 F1:3 F2:1
);

CREATE TABLE mkt.cmp ( -- 60
    cmp_id INTEGER PRIMARY KEY, -- serial 1
    cmp_nm TEXT, -- name campaigns
    obj_cd TEXT, -- weighted ACQ:4 RET:3 BRD:2 WIN:1
    ch_cd TEXT, -- one of EM SE SO DI AF
    st_dt DATE, -- day 2024-01-01 2024-10-31
    en_dt DATE, -- plus st_dt 5 50
    bdg_ct INTEGER, -- number 50000 4000000
    ctry_cds TEXT[], -- list 4 one of DE FR SE PL IT
    tgt STRUCT(seg TEXT, ages STRUCT(lo INTEGER, hi INTEGER), pl TEXT[]), -- record seg=one of S1 S2 S3; ages=record lo=number 18 35, hi=number 40 75; pl=list 3 one of KX KB WD WS GM HV
    agcy TEXT, -- one of in-house north west
    utm TEXT, -- text cmp-{:d}
    st_cd TEXT -- weighted E:6 R:3 S:1
);

CREATE TABLE mkt.cmp_day ( -- 2400
    cmp_id INTEGER REFERENCES mkt.cmp (cmp_id), -- from mkt.cmp.cmp_id
    dy TEXT, -- written %d.%m.%Y day 2024-01-01 2024-12-31
    impr INTEGER, -- number 100 60000
    clk INTEGER, -- number 0 1800
    cst_mic BIGINT, -- number 100000 90000000
    conv INTEGER, -- number 0 30
    vw_conv INTEGER -- number 0 60
);

CREATE TABLE mkt.mail_{2024_01..2024_12} ( -- 240
    snd_id INTEGER PRIMARY KEY, -- serial 1 shard
    cust_no INTEGER, -- from sales.cust_mst.cust_no
    cmp_id INTEGER, -- from mkt.cmp.cmp_id
    snd_ts TIMESTAMP, -- moment
    evt TEXT, -- weighted S:5 O:3 C:1 B:1 U:1
    tpl_cd TEXT, -- one of N01 N02 W01 T09
    ab_grp TEXT, -- weighted A:5 B:5
    dom TEXT, -- one of mail.example post.example web.example
    bnc_cls TEXT -- when evt B one of H S
);

CREATE TABLE mkt.cust_feat ( -- 1600 -- features of the scoring model, at the end of 2024
    cust_no INTEGER PRIMARY KEY, -- serial 100001
    f_{001..090} DECIMAL(10, 2), -- money 0 100
    scr_chrn DECIMAL(6, 2), -- money 0 1
    scr_clv DECIMAL(10, 2), -- money 0 4000
    dcl_no INTEGER, -- number 1 10
    mdl_ver TEXT -- weighted m7:8 m6:2
);

CREATE TABLE mkt.feat_def ( -- lookup
    f_cd TEXT PRIMARY KEY,
    f_nm TEXT
);

CREATE TABLE hr.emp ( -- 140
    emp_no INTEGER PRIMARY KEY, -- serial 801
    job_cd TEXT, -- weighted SR:4 SA:4 WH:5 IT:2 MG:1
    cc_no INTEGER, -- from fin.cst_ctr.cc_no
    hire_dt DATE, -- day 2008-01-01 2024-09-30
    term_dt DATE, -- chance 0.15 day 2024-01-01 2024-12-31
    fte DECIMAL(4, 2), -- weighted 1.00:7 0.80:2 0.50:1
    grd TEXT, -- one of G3 G4 G5 G6 G7
    sal_eur INTEGER, -- number 32000 110000
    mgr_no INTEGER, -- chance 0.9 number 801 815
    ctr_typ TEXT, -- weighted U:8 T:2
    loc_cd TEXT, -- one of HH LY PZ ST
    skl TEXT[] -- list 4 one of sql weld sales repair plan drive
);

CREATE TABLE hr.trn ( -- 300
    emp_no INTEGER, -- from hr.emp.emp_no
    crs_cd TEXT, -- one of SAFE1 SAFE2 SQL1 LEAD GDPR
    trn_dt DATE, -- day 2023-01-01 2024-12-31
    pass_flg TEXT, -- weighted P:8 F:1 N:1
    scr INTEGER, -- chance 0.8 number 40 100
    cst_eur INTEGER -- number 80 2400
);

CREATE TABLE hr.abs_2024 ( -- 700
    emp_no INTEGER, -- from hr.emp.emp_no
    abs_dt DATE, -- day 2024-01-01 2024-12-31
    abs_cd TEXT, -- weighted V:7 S:3 P:1 U:1
    hrs DECIMAL(4, 2), -- weighted 8.00:8 4.00:2
    appr_flg BOOLEAN -- flag 0.95
);

CREATE TABLE web.slot_def ( -- lookup -- what the slots of custom dimensions and metrics hold
    scp_cd TEXT,
    idx INTEGER,
    slot_nm TEXT,
    vld_fr DATE
);

CREATE TABLE web.exp_def ( -- lookup
    exp_id TEXT PRIMARY KEY,
    exp_nm TEXT,
    beg_dt DATE,
    end_dt DATE
);

CREATE TABLE web.page_dir ( -- lookup
    lvl1 TEXT PRIMARY KEY,
    sect_nm TEXT,
    ownr_cd TEXT
);
