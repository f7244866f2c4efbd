-- Leave policies may pay out what is left when somebody leaves. Existing policies do not.

alter table leave_policy_terms add column on_leaving text;
