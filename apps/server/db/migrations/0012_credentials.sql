-- By which keys a device came to an option -----------------------------------------------------------------

-- Subscriptions whose keys a device of an option has come with. When a key ends, whoever came with no other loses the place
-- there. Of those from before nothing is known until they come again.
alter table devices add column came_by bigint[] not null default '{}';
