-- Apps that name no device -------------------------------------------------------------------------------

-- They are devices too, known by a hash of what they say of themselves. All that were kept before named theirs. The older
-- is_fingerprinted, which said how much an app told, is written by the release before this one and read by nobody.
alter table devices add column is_unnamed boolean not null default false;

-- What becomes of them where devices are limited, and where the buttons of pages lead; null is the service itself.
alter table delivery_settings
  add column unnamed_devices text not null default 'fingerprint' check (unnamed_devices in ('fingerprint', 'refuse')),
  add column account_url text;
