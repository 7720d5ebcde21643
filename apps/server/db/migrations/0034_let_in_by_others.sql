-- Who gave an operator a way in: two people are two when neither could have come as the other ------------------

-- Null: made on the machine of the service, or before this version.
alter table operator_tokens add column made_by bigint references operators (id);

-- Who made the token that the approval came with; null for one's own, and for people who are signed in.
alter table withdrawal_approvals add column token_made_by bigint references operators (id);

-- When one operator last made a sign-in link for another.
create table operator_let_ins (
  operator_id bigint not null references operators (id),
  let_in_by bigint not null references operators (id),
  made_at bigint not null,
  primary key (operator_id, let_in_by)
);
