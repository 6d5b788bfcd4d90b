CREATE TABLE stn_ref (stn_id INTEGER PRIMARY KEY, stn_cd TEXT, stn_nm TEXT, rgn_cd TEXT, elv_m INTEGER, yd_cap INTEGER);
CREATE TABLE pty_dir (pty_id INTEGER PRIMARY KEY, pty_nm TEXT, ctry_cd TEXT, rsk_gr TEXT, onb_dt TEXT);
CREATE TABLE trn_mst (
    trn_id INTEGER PRIMARY KEY, trn_sym TEXT, orig_stn INTEGER REFERENCES stn_ref (stn_id),
    dest_stn INTEGER REFERENCES stn_ref (stn_id), pln_dpt_ts TEXT, dpt_ts TEXT, pln_arr_ts TEXT, arr_ts TEXT,
    crw_cls TEXT, lok_ct INTEGER, ton_gr REAL
);
CREATE TABLE wgn_reg (
    wgn_id INTEGER PRIMARY KEY, wgn_cls TEXT, ownr_pty INTEGER REFERENCES pty_dir (pty_id), tare_t REAL, max_t REAL,
    blt_yr INTEGER, lst_insp_dt TEXT
);
CREATE TABLE trf_vrs (
    trf_cd TEXT, vrs_no INTEGER, eff_fr TEXT, eff_to TEXT, rt_per_t REAL, min_chg REAL, fuel_pct REAL,
    PRIMARY KEY (trf_cd, vrs_no)
);
CREATE TABLE cns_hdr (
    cns_id INTEGER PRIMARY KEY, trn_id INTEGER REFERENCES trn_mst (trn_id), snd_pty INTEGER REFERENCES pty_dir (pty_id),
    rcv_pty INTEGER REFERENCES pty_dir (pty_id), cmd_cd TEXT, ton_net REAL, acc_ts TEXT, prm_dlv_ts TEXT, dlv_ts TEXT,
    trf_cd TEXT, pri_cls INTEGER
);
CREATE TABLE cns_ln (
    cns_id INTEGER REFERENCES cns_hdr (cns_id), ln_no INTEGER, wgn_id INTEGER REFERENCES wgn_reg (wgn_id), ton_net REAL,
    haz_cls TEXT, PRIMARY KEY (cns_id, ln_no)
);
CREATE TABLE inv_hdr (
    inv_id INTEGER PRIMARY KEY, pty_id INTEGER REFERENCES pty_dir (pty_id), inv_dt TEXT, due_dt TEXT, ccy TEXT,
    amt_net REAL, st TEXT
);
CREATE TABLE inv_ln (
    inv_id INTEGER REFERENCES inv_hdr (inv_id), ln_no INTEGER, cns_id INTEGER REFERENCES cns_hdr (cns_id), chg_cd TEXT,
    amt REAL, PRIMARY KEY (inv_id, ln_no)
);
CREATE TABLE pmt_trx (pmt_id INTEGER PRIMARY KEY, inv_id INTEGER REFERENCES inv_hdr (inv_id), pmt_dt TEXT, amt REAL, chnl TEXT);
CREATE TABLE evt_log (
    evt_id INTEGER PRIMARY KEY, trn_id INTEGER REFERENCES trn_mst (trn_id), stn_id INTEGER REFERENCES stn_ref (stn_id),
    evt_ts TEXT, dly_min INTEGER, rsn_cd TEXT
);
CREATE TABLE fx_dly (ccy TEXT, fx_mth TEXT, rt_eur REAL, PRIMARY KEY (ccy, fx_mth));
