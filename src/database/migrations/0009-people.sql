-- Probation: whether its end follows from the policy, and so moves with the day of hiring.

alter table employees add column probation_end_is_derived boolean;
