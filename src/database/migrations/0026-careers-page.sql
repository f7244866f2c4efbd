-- How an account's own careers page looks: what stands on top of it, its colour and its logo.

alter table recruitment_settings add column careers_heading text;
alter table recruitment_settings add column careers_introduction text;
alter table recruitment_settings add column careers_color text;
alter table recruitment_settings add column careers_logo text;
