-- Everything that decides about a key raises its revision ---------------------------------------------------

-- Whoever remembers the rest of what belongs to a key has to ask for nothing but its row: also what was sold without anything on
-- a node yet, and an account that is blocked, are seen by the revision.
create function note_new_term() returns trigger language plpgsql as $body$
begin
  perform note_owners(array[new.user_id]);
  return null;
end $body$;
create trigger terms_added after insert on terms for each row execute function note_new_term();
create constraint trigger terms_added_raise after insert on terms deferrable initially deferred for each row
  execute function raise_revisions();

create function note_user() returns trigger language plpgsql as $body$
begin
  perform note_owners(array[new.id]);
  return null;
end $body$;
create trigger users_noted after update on users for each row
  when (old.is_blocked is distinct from new.is_blocked) execute function note_user();
create constraint trigger users_raise after update on users deferrable initially deferred for each row
  when (old.is_blocked is distinct from new.is_blocked) execute function raise_revisions();
