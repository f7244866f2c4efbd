-- What people have named of their screens: which filters, columns and order, kept for them wherever they sign in.

alter table users add column saved_views text;
