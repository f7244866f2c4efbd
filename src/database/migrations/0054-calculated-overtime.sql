-- Whether Cadre calculated an overtime request. Null, as in earlier ones: it was typed.

alter table overtime_requests add column calculated boolean;
