/** What is put together by customers. */
export const subscriptions: Readonly<Record<string, string>> = {
  'a custom subscription has one to fifty items, in places that follow each other': `
    select s.id from subscriptions s where s.kind = 'custom' and not exists (
      select from subscription_items x where x.subscription_id = s.id
      having count(*) between 1 and 50 and min(x.position) = 0 and max(x.position) = count(*) - 1)`,
  'only a custom subscription has items or a template': `
    select s.id from subscriptions s where s.kind <> 'custom' and (
      exists (select from subscription_items x where x.subscription_id = s.id)
      or exists (select from subscription_templates p where p.subscription_id = s.id))`,
  'nobody has more than fifty custom subscriptions': `
    select user_id from subscriptions where kind = 'custom' group by user_id having count(*) > 50`,
  'every account that is not deleted has its own subscription': `
    select u.id from users u where u.deleted_at is null and not exists (
      select from subscriptions s where s.user_id = u.id and s.kind = 'account')`,
}
