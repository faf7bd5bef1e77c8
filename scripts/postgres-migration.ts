/**
 * `npm run migration:postgres -- <why>` writes the next migration into drizzle/postgres/: what drizzle-kit
 * does for SQLite, for tables that are made from others and therefore are no exports of a file.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { getTableName } from 'drizzle-orm'
import { OWN_TABLES, UNLOGGED } from './postgres-schema/own-tables.ts'
import { TABLES } from './postgres-schema/tables.ts'

const FOLDER = 'drizzle/postgres'

interface Journal {
  version: string
  dialect: string
  entries: { idx: number; version: string; when: number; tag: string; breakpoints: boolean }[]
}

const [name] = process.argv.slice(2)
if (!name) throw new Error('Say what the migration is for: npm run migration:postgres -- <why>')
mkdirSync(`${FOLDER}/meta`, { recursive: true })
const journalFile = `${FOLDER}/meta/_journal.json`
const journal: Journal = existsSync(journalFile)
  ? (JSON.parse(readFileSync(journalFile, 'utf8')) as Journal)
  : { version: '7', dialect: 'postgresql', entries: [] }
const last = journal.entries.at(-1)
const before = last
  ? (JSON.parse(readFileSync(`${FOLDER}/meta/${number(last.idx)}_snapshot.json`, 'utf8')) as ReturnType<
      typeof generateDrizzleJson
    >)
  : generateDrizzleJson({})
const after = generateDrizzleJson({ ...Object.fromEntries(TABLES), ...OWN_TABLES }, before.id)
const statements = (await generateMigration(before, after)).map(withoutLog)
if (statements.length === 0) {
  process.stderr.write('Nothing has changed.\n')
} else {
  const idx = journal.entries.length
  const tag = `${number(idx)}_${name}`
  writeFileSync(`${FOLDER}/${tag}.sql`, `${statements.join('\n--> statement-breakpoint\n')}\n`)
  writeFileSync(`${FOLDER}/meta/${number(idx)}_snapshot.json`, `${JSON.stringify(after, null, 2)}\n`)
  journal.entries.push({ idx, version: '7', when: Date.now(), tag, breakpoints: true })
  writeFileSync(journalFile, `${JSON.stringify(journal, null, 2)}\n`)
  process.stderr.write(`${FOLDER}/${tag}.sql\n`)
}

/** drizzle knows no tables that are not logged. */
function withoutLog(statement: string): string {
  const names = UNLOGGED.map((name) => getTableName(OWN_TABLES[name]))
  const name = names.find((one) => statement.startsWith(`CREATE TABLE "${one}"`))
  return name === undefined ? statement : statement.replace('CREATE TABLE', 'CREATE UNLOGGED TABLE')
}

function number(idx: number): string {
  return String(idx).padStart(4, '0')
}
