-- Above how much a withdrawal needed two people when it was asked for; null where the settings had none, or nobody noted it.
-- A setting that is raised later does not hold for it.
alter table withdrawals add column two_person_amount bigint;
update withdrawals set two_person_amount = (s.value #>> '{}')::bigint
from settings s where s.key = 'two_person_amount' and withdrawals.status = 'pending';
