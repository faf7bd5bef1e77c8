/**
 * docs/rules/ is the only place where rules stand. Whoever meets an id can look it up there, whoever reads a rule finds
 * its test, and nobody is sent to a document that does not come with the repository.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

interface Place {
  readonly path: string
  readonly text: string
}

const THIS_FILE = 'test/rules.test.ts'
const RULE_BOOK = 'docs/rules'
const BOOKS =
  'OCPP21|OCPP|REPORT|SESSION|ENERGY|COST|TOKEN|OIDC|HOOK|SEARCH|API|SERVER|RECORD|STORE|BENCH|SIGNED|TIMELINE|CONSOLE|ADMIN|ALERT|SIM|INTENT|DEVICE|CONFIG|MONITOR|FIRMWARE|CERT|BULK|UPTIME|SITE|CHARGING|GROUP|LIST|RESERVATION|DRIVER|LOCATION|TARIFF|AFIR|OCPI'
/** What ids look like behind their book's name. Phases of a current (`L1`) are none. */
const SERIES = '[A-KM-Z]|AU|CN|CO|DR|EC|LG|MS|RP|SZ|TL|VA'
const TEXTS = /\.(tsx?|mjs|js|md|sql|sh)$/

const all: readonly Place[] = [
  ...['.', '.ci'].flatMap((folder) => read(folder, false)),
  ...['src', 'simulator', 'test', 'bench', 'scripts', 'docs'].flatMap((folder) => read(folder, true)),
].filter(({ path }) => path !== THIS_FILE)
const book = all.filter(({ path }) => path.startsWith(RULE_BOOK))
const places = all.filter(({ path }) => !path.startsWith(RULE_BOOK))
const rules = book.flatMap(rulesOf)

describe('the rule book', () => {
  it('is read whole: each id stands once, in the form that this test reads', () => {
    expect(rules.length).toBeGreaterThan(370)
    const marked = book.flatMap(({ text }) => text.match(/^[-*|] *\*\*[^*]+\*\*/gm) ?? [])
    expect(marked).toHaveLength(rules.length)
    const ids = rules.map(({ id }) => id)
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
    expect(rules.filter(({ sentence }) => !/[a-z].*\.\)?$/s.test(sentence)).map(({ id }) => id)).toEqual([])
  })

  it('has every rule that is cited anywhere, also between the ends of a range', () => {
    const known = new Set(rules.map(({ id }) => id))
    const unknown = all.flatMap(({ path, text }) =>
      [...cited(text)].filter((id) => !known.has(id)).map((id) => `${path}: ${id}`),
    )
    expect(unknown).toEqual([])
  })

  it('has no rule without a test that names it, unless the rule says why', () => {
    const tested = new Set(places.filter(isTest).flatMap(({ text }) => [...cited(text)]))
    const untested = rules.filter(({ id, sentence }) => !tested.has(id) && !/\(No test: [^)]+\.\)/.test(sentence))
    expect(untested.map(({ id }) => id)).toEqual([])
  })

  it('says of no rule that it has no test when it has one', () => {
    const tested = new Set(places.filter(isTest).flatMap(({ text }) => [...cited(text)]))
    expect(
      rules.filter(({ id, sentence }) => tested.has(id) && sentence.includes('(No test')).map(({ id }) => id),
    ).toEqual([])
  })
})

describe('nothing sends its reader to a document outside the repository', () => {
  it.each([
    ['by a file’s name', /\b(?<!rules\/)(oidc|webhooks-and-search|contract|cluster|seed|architecture)\.md\b/],
    [
      'by a file’s name that also is one of ours',
      /(?<!docs\/|rules\/|\]\(|\[)\bocpp\.md\b|\bocpp\.md`? (part|section|§|\d)/,
    ],
    ['by the contract’s numbers', /\bcontract,? §?\d/i],
    ['by the seed’s numbers', /(?<!--)\bseed,? (section )?§?\d/i],
    ['by parts, sections and pitfalls of what is not named', /\b(parts?|sections?|pitfalls?) §?\d/i],
  ])('%s', (_, pattern) => {
    expect(places.flatMap((place) => linesWith(place, pattern))).toEqual([])
  })

  it.each([
    ['by an issue’s number', /\b[Ii]ssue \d/],
    ['by a number below a rule', new RegExp(`\\b(${BOOKS})-[A-Z]+\\d+\\.\\d`)],
    ['by a book without a rule', new RegExp(`['"\`](${BOOKS}) ((${SERIES})\\d*|\\d+|%s)[,: ]`)],
    ['by an id without its book behind another', new RegExp(`\\b(${BOOKS})-[A-Z]+\\d+, (${SERIES})([1-9]\\d?)?[,:)]`)],
    ['by an id without its book at the start of a test’s title', new RegExp(`['"\`](${SERIES})[1-9]\\d?\\b[^'"\`]*: `)],
    ['by an id without its book in a table of cases', new RegExp(`^[^:]*:\\d+: \\[['"](${SERIES})[1-9]\\d?['",]`)],
  ])('%s', (_, pattern) => {
    expect(places.flatMap((place) => linesWith(place, pattern))).toEqual([])
  })
})

/** What a reader of this repository can buy or download by itself: the standards. Their own parts and sections stay. */
function withoutStandards(text: string): string {
  return text.replace(
    /\b(RFC \d+|1\.6(-J)?|2\.0\.1|2\.1)( edition \d)?(,? (p|part |section )\d+)?(,? ?§+ ?[\d.]+)?/g,
    'a standard',
  )
}

function linesWith({ path, text }: Place, pattern: RegExp): readonly string[] {
  return text
    .split('\n')
    .map((line, at) => `${path}:${at + 1}: ${line.trim()}`)
    .filter((line) => pattern.test(withoutStandards(line)))
}

function rulesOf({ text }: Place): readonly { id: string; sentence: string }[] {
  const found = text.matchAll(new RegExp(`^- \\*\\*((?:${BOOKS})-[A-Z]+\\d+)\\*\\* (.+(?:\\n {2}.+)*)`, 'gm'))
  return [...found].map(([, id = '', sentence = '']) => ({ id, sentence: sentence.replaceAll(/\s+/g, ' ') }))
}

/** `HOOK-M1 to HOOK-M3` cites HOOK-M2 as well. */
function cited(text: string): ReadonlySet<string> {
  const single = new RegExp(`(?<![\\w-])(?:${BOOKS})-[A-Z]+\\d+\\b`, 'g')
  const range = new RegExp(`(?<![\\w-])((?:${BOOKS})-[A-Z]+)(\\d+) to \\1(\\d+)\\b`, 'g')
  const ids = new Set(text.match(single))
  for (const [, series = '', first, last] of text.matchAll(range)) {
    for (let number = Number(first); number <= Number(last); number++) ids.add(`${series}${number}`)
  }
  return ids
}

function isTest({ path }: Place): boolean {
  return /\.(test\.tsx?|browser\.ts)$/.test(path) || /^(test\/captured|test\/support\/storage-contract)\//.test(path)
}

function read(folder: string, recursive: boolean): readonly Place[] {
  return readdirSync(folder, { recursive, withFileTypes: true })
    .filter((entry) => entry.isFile() && (TEXTS.test(entry.name) || ['run', '.env.example'].includes(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }))
}
