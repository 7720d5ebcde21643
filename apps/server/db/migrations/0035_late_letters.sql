-- Letters that were tried and have not left: the alert asks for them every minute.
create index mails_late on mails (created_at) where attempts >= 2;
