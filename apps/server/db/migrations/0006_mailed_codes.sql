-- What a letter to sign in carries. Codes that are not mailed stay in sign_in_codes, whose columns referral_code and
-- asked_from and whose kind 'email' serve the release before, while it runs beside this one.
create table mailed_codes (
  id bigint generated always as identity primary key,
  -- Keyed hash of the address that it went to.
  recipient_hash bytea not null,
  -- Keyed hash of that address with the network that asked for the letter.
  asker_hash bytea not null,
  -- Keyed hash of the six digits; null where the letter had none, or the same asker asked for others since.
  digits_hash bytea,
  -- Keyed hash of the long code.
  long_hash bytea not null unique,
  -- Tries at the digits from the asker's network, and from all others.
  tries_left smallint not null,
  foreign_tries_left smallint not null,
  -- Who invited, as the asker said.
  referral_code text,
  expires_at bigint not null
);
create index mailed_codes_asker on mailed_codes (asker_hash, id) where digits_hash is not null;
create index mailed_codes_recipient on mailed_codes (recipient_hash, id) where digits_hash is not null;
create index mailed_codes_age on mailed_codes (expires_at);
