-- Above how much a withdrawal needed two people when it was asked for; null where the settings had none, or nobody noted it.
-- A setting that is raised later does not hold for it.
alter table withdrawals add column two_person_amount bigint;
update withdrawals set two_person_amount = (s.value #>> '{}')::bigint
from settings s where s.key = 'two_person_amount' and withdrawals.status = 'pending';

-- How many customers were online on a node is noted by whoever looks at the fleet, and no longer with each report. The release before
-- goes on writing both columns; online_sum, which nobody reads, can go with the release after this one.
alter table node_hours alter column online_sum set default 0, alter column online_most set default 0;
