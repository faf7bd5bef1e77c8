import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLMap } from 'yaml'
import { suggestion } from '../../../src/config/suggest.ts'
import { validatorFor } from '../../../src/ocpp/schema/validators.ts'
import { isObject, type Payload } from '../../../src/ocpp/translate/payload.ts'
import { VEHICLES } from '../../model/meter.ts'
import { findQuirks } from '../../quirks/apply.ts'
import { QUIRKS } from '../../quirks/catalogue.ts'
import { VERSIONS, type Version } from '../../quirks/quirk.ts'
import { isWhole, type MemberType, STEPS, TYPES } from './steps.ts'
import { WORDS } from './words.ts'

/** The message has one line per fault: `file:line: what is wrong, what is expected`. */
export class ScenarioFault extends Error {
  override readonly name = 'ScenarioFault'
}

const TOP = ['title', 'versions', 'connectors', 'vehicle', 'quirks', 'sampleSeconds', 'steps'] as const

/** Throws ScenarioFault. */
export function parseScenario(text: string, file: string, name: string): Scenario {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  const faults: { readonly line: number; readonly text: string }[] = []
  const fault: Fault = (line, what) => void faults.push({ line, text: what })
  const lineOf = (node: unknown): number => lines.linePos((node as Node | null)?.range?.[0] ?? 0).line
  const done = (): void => {
    if (faults.length === 0) return
    const sorted = [...faults].sort((a, b) => a.line - b.line)
    throw new ScenarioFault(sorted.map(({ line, text: what }) => `${file}:${line}: ${what}`).join('\n'))
  }

  for (const error of document.errors) fault(error.linePos?.[0].line ?? 1, `no YAML: ${firstLine(error.message)}`)
  done()
  const root = document.contents
  if (!isMap(root)) {
    fault(1, `expected members ${TOP.join(', ')}; README.md of the simulator describes them`)
    done()
    throw new ScenarioFault(file)
  }
  const keys = membersOf(root)
  for (const [key, { node }] of keys) {
    if (!(TOP as readonly string[]).includes(key)) fault(lineOf(node), unknown('member', key, TOP))
  }
  const value = (key: string): unknown => (keys.get(key)?.value as Node | undefined)?.toJSON()
  const at = (key: string): number => lineOf(keys.get(key)?.node)
  const check = (key: string, ok: (value: unknown) => boolean, expected: string, required = false): void => {
    if (!keys.has(key)) {
      if (required) fault(1, `${key} is missing: expected ${expected}`)
    } else if (!ok(value(key))) fault(at(key), `${key} is ${shown(value(key))}: expected ${expected}`)
  }
  const listOf = (known: readonly string[]) => (list: unknown) =>
    Array.isArray(list) && list.length > 0 && list.every((entry) => known.includes(String(entry)))
  check('title', (title) => typeof title === 'string' && title.trim() !== '', 'a sentence', true)
  check('versions', listOf(VERSIONS), "a list of '1.6', '2.0.1' and '2.1', in quotes")
  check('connectors', (count) => isWhole(count, 1, 100), 'a whole number from 1 to 100')
  check('vehicle', (kind) => Object.hasOwn(VEHICLES, String(kind)), `one of ${Object.keys(VEHICLES).join(', ')}`)
  check('quirks', listOf(QUIRKS.map((quirk) => quirk.name)), 'a list of names from --list-quirks')
  check('sampleSeconds', (seconds) => isWhole(seconds, 1, 86_400), 'a whole number from 1 to 86400')
  const steps: Step[] = []
  const list = keys.get('steps')?.value
  if (!isSeq(list) || list.items.length === 0) {
    fault(keys.has('steps') ? at('steps') : 1, 'steps is missing or empty: expected a list of steps')
  } else {
    for (const item of list.items) {
      const step = readStep(item as Node, lineOf, fault)
      if (step) steps.push(step)
    }
  }
  done()
  const facts = {
    versions: ((value('versions') as string[] | undefined) ?? VERSIONS).map(String) as Version[],
    connectors: Number(value('connectors') ?? 1),
    quirks: (value('quirks') as string[] | undefined) ?? [],
  }
  checkScenario({ ...facts, steps }, fault)
  for (const { name: quirk, versions } of findQuirks(facts.quirks, QUIRKS)) {
    if (facts.versions.some((version) => !versions.includes(version)))
      fault(at('quirks'), `the quirk ${quirk} is not of every version here`)
  }
  done()
  return {
    name,
    title: String(value('title')),
    ...facts,
    ...(keys.has('vehicle') && { vehicle: String(value('vehicle')) }),
    ...(keys.has('sampleSeconds') && { sampleSeconds: Number(value('sampleSeconds')) }),
    steps,
  }
}

function readStep(item: Node, lineOf: (node: unknown) => number, fault: Fault): Step | undefined {
  const line = lineOf(item)
  if (isScalar(item)) return checkStep(String(item.value), undefined, line, fault)
  if (!isMap(item) || item.items.length !== 1) {
    fault(line, 'expected one step, such as `plug: 1`')
    return undefined
  }
  const [[kind, entry] = ['', undefined]] = [...membersOf(item)]
  return checkStep(kind, (entry?.value as Node | null | undefined)?.toJSON() ?? undefined, line, fault)
}

function checkStep(kind: string, given: unknown, line: number, fault: Fault): Step | undefined {
  const form = Object.hasOwn(STEPS, kind) ? STEPS[kind] : undefined
  if (!form) {
    fault(line, unknown('step', kind, Object.keys(STEPS)))
    return undefined
  }
  if (given !== undefined && !isObject(given) && form.short === undefined) {
    fault(line, `${kind} is ${shown(given)}: expected ${Object.keys(form.members).join(', ') || 'nothing'}`)
    return undefined
  }
  const args = given === undefined ? {} : isObject(given) ? given : { [form.short ?? '']: given }
  for (const [name, value] of Object.entries(args)) {
    const type = Object.hasOwn(form.members, name) ? form.members[name] : undefined
    if (type === undefined) fault(line, `${kind}: ${unknown('member', name, Object.keys(form.members))}`)
    else if (!fits(type, value)) fault(line, `${kind}: ${name} is ${shown(value)}: expected ${expectation(type)}`)
  }
  for (const name of form.required ?? []) {
    const type = form.members[name]
    if (args[name] === undefined && type) fault(line, `${kind}: ${name} is missing: expected ${expectation(type)}`)
  }
  return { kind, args, line }
}

function fits(type: MemberType, value: unknown): boolean {
  return typeof type === 'string' ? TYPES[type][1](value) : type.includes(String(value))
}

function expectation(type: MemberType): string {
  return typeof type === 'string' ? TYPES[type][0] : `one of ${type.join(', ')}`
}

function membersOf(map: YAMLMap): ReadonlyMap<string, { readonly node: unknown; readonly value: unknown }> {
  return new Map(
    map.items.map((pair) => [
      String((pair.key as { value?: unknown } | null)?.value ?? pair.key),
      { node: pair.key, value: pair.value },
    ]),
  )
}

function unknown(what: string, name: string, known: readonly string[]): string {
  const close = suggestion(name, known)
  return `there is no ${what} ${shown(name)}: ${close ? `did you mean ${close}?` : `expected one of ${known.join(', ')}`}`
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}

function firstLine(text: string): string {
  return text.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? ''
}

type Fault = (line: number, text: string) => void

const SENDING = new Set(['boot', 'powerUp', 'call', 'say'])
const NAMES_METHOD = new Set(['call', 'said', 'received', 'command', 'logged'])

function checkScenario(
  { steps, connectors, versions }: Pick<Scenario, 'versions' | 'connectors' | 'steps'>,
  fault: Fault,
) {
  const [first] = steps
  if (first && !steps.some(({ kind }) => SENDING.has(kind)))
    fault(first.line, 'no step sends anything: expected a boot before the others')
  for (const step of steps) {
    const { args, line, kind } = step
    if (typeof args.connector === 'number' && args.connector > connectors)
      fault(line, `${kind}: connector is ${args.connector}: this scenario has ${connectors} (see connectors)`)
    if (kind === 'limit' && (args.amps === undefined) === (args.watts === undefined))
      fault(line, 'limit: expected amps or watts')
    if (kind === 'plug' && args.needs !== undefined && typeof (args.needs as Payload).energyKwh !== 'number')
      fault(line, 'plug: needs without energyKwh: expected kilowatt-hours')
    if (NAMES_METHOD.has(kind)) checkMethod(step, versions, fault)
    for (const word of unknownWords(args)) {
      const close = suggestion(word, WORDS)
      const hint = close ? `did you mean ${close}?` : `expected ${WORDS.join(', ')}`
      fault(line, `${kind}: there is no \${${word}}: ${hint}`)
    }
  }
}

/** An unknown one may be said where a CALLERROR is expected, or to see what comes of it. */
function checkMethod({ kind, args, line }: Step, versions: Scenario['versions'], fault: Fault): void {
  if (typeof args.method !== 'string' || args.error !== undefined) return
  const { method } = args
  const foreign = versions.find((version) => !validatorFor(`ocpp${version}`, method, 'req', 'quick'))
  if (foreign) fault(line, `${kind}: there is no method ${method} in OCPP ${foreign}`)
}

const ANY_WORD = /\$\{([^}]*)\}/g
const WITH_OFFSET = /^time[+-]\d+$/

function unknownWords(value: unknown): readonly string[] {
  if (typeof value === 'string') {
    const found = [...value.matchAll(ANY_WORD)].map(([, word = '']) => word)
    return found.filter((word) => !WORDS.includes(word) && !WITH_OFFSET.test(word))
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(unknownWords)
}

export interface Step {
  readonly kind: string
  readonly args: Readonly<Record<string, unknown>>
  readonly line: number
}

export interface Scenario {
  readonly name: string
  readonly title: string
  readonly versions: readonly Version[]
  readonly connectors: number
  readonly vehicle?: string
  readonly quirks: readonly string[]
  readonly sampleSeconds?: number
  readonly steps: readonly Step[]
}
