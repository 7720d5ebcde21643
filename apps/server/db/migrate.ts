import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { CompiledQuery } from 'kysely'
import type { Database } from './client.ts'

const folder = new URL('./migrations/', import.meta.url)

/** Instances that start together migrate one after another, under this advisory lock. */
const lockNumber = 5_417_209_331

interface Migration {
  readonly name: string
  readonly sql: string
  readonly checksum: string
}

const readMigrations = (): Migration[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => {
      const sql = readFileSync(new URL(name, folder), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    })

const appliedChecksums = async ({ db, engine }: Database): Promise<Map<string, string>> => {
  await engine.exec('create table if not exists migrations (name text primary key, checksum text not null)')
  const { rows } = await db.executeQuery<{ name: string; checksum: string }>(
    CompiledQuery.raw('select name, checksum from migrations'),
  )
  return new Map(rows.map((row) => [row.name, row.checksum]))
}

/** Applies what is missing, each file in one transaction with its record; returns the names applied. */
export const migrate = async (database: Database): Promise<string[]> => {
  const applied = await appliedChecksums(database)
  const names: string[] = []
  for (const { name, sql, checksum } of readMigrations()) {
    const known = applied.get(name)
    if (known === checksum) continue
    if (known) throw new Error(`Migration ${name} was changed after it was applied; add a new one instead.`)
    await database.engine.exec(`
      begin;
      select pg_advisory_xact_lock(${lockNumber});
      do $guard$ begin
        if not exists (select from migrations where name = '${name}') then
          execute $migration$${sql}$migration$;
          insert into migrations (name, checksum) values ('${name}', '${checksum}');
        end if;
      end $guard$;
      commit;`)
    names.push(name)
  }
  return names
}
