/** Patterns that are allowed in some places only. */
export type Pattern = {
  rule: string
  find: RegExp
  within: RegExp
  except: RegExp
  instead: string
}

const tests = '\\.test\\.ts$'

export const patterns: Pattern[] = [
  {
    rule: 'the contract has seven files at its root, and rooms',
    find: /^(?=[\s\S])/g,
    within: /^packages\/contract\//,
    except:
      /^packages\/contract\/((operation|shapes|products|product-types|errors|visible-text|tables)(\.test)?\.ts$|(customer|operator|agent|docs|client)\/)/,
    instead: 'Put it into a room: customer, operator, agent, docs or client.',
  },
  {
    rule: 'SQL lives in queries.ts, core/, db/ and migrations',
    find: /\.(selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(|import\s(?:type\s)?[^'"]*\bsql\b[^'"]*from 'kysely'/g,
    within: /^(apps|packages)\//,
    except: new RegExp(`(^|/|-)queries\\.ts$|^apps/server/(core|db|local/demo)/|${tests}`),
    instead: 'Write a function of (db, …) in queries.ts of this folder, or in core/ when several need it.',
  },
  {
    rule: 'process.env is read in one place',
    find: /\bprocess\.env\b|import\s[^'"]*\benv\b[^'"]*from 'node:process'/g,
    within: /^(apps|packages)\//,
    except: new RegExp(`^apps/server/config\\.ts$|^apps/(agent|cli)/main\\.ts$|${tests}`),
    instead: 'Add the setting to config.ts (the agent: main.ts) and take its value as an argument.',
  },
  {
    rule: 'the domain has no clock and no randomness of its own',
    find: /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\brandom(Bytes|UUID|Int)\(/g,
    within: /^packages\/domain\//,
    except: new RegExp(tests),
    instead: 'Take the moment or the random value as an argument.',
  },
]
