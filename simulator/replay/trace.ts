import { readFileSync, statSync } from 'node:fs'
import { parsedJson } from '../../src/domain/parsed-json.ts'
import type { Protocol } from '../../src/domain/ports/core.ts'
import type { Payload } from '../../src/ocpp/translate/payload.ts'
import { isObject } from '../../src/ocpp/translate/payload.ts'
import { VERSIONS } from '../quirks/quirk.ts'
import { ScenarioFault } from '../scenarios/engine/parse.ts'
import type { Frame } from '../wire/frames.ts'

export interface Trace {
  readonly protocol?: Protocol
  readonly chargePointId?: string
  readonly entries: readonly TraceEntry[]
}

export interface TraceEntry {
  readonly line: number
  readonly at: number
  /** `in` is from the station. */
  readonly direction: 'in' | 'out'
  readonly frame: Frame
}

const LARGEST_FILE = 256 * 1_048_576
const EXPECTED = 'expected {"at":"2026-01-05T08:00:00Z","direction":"in","frame":[2,"id","Heartbeat",{}]}'

/** Throws ScenarioFault with the file, the line and what was expected. */
export function readTrace(file: string): Trace {
  let text: string
  try {
    if (statSync(file).size > LARGEST_FILE)
      throw new ScenarioFault(`${file} is larger than 256 MiB: cut it into pieces`)
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof ScenarioFault) throw error
    throw new ScenarioFault(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}): name a trace file`)
  }
  return parseTrace(text, file)
}

function parseTrace(text: string, file: string): Trace {
  const entries: TraceEntry[] = []
  let head: Omit<Trace, 'entries'> = {}
  for (const [position, content] of text.split('\n').entries()) {
    if (content.trim() === '') continue
    const line = position + 1
    const value = parsedJson(content)
    if (!isObject(value)) throw new ScenarioFault(`${file}:${line}: this is no JSON object: ${EXPECTED}`)
    if (entries.length === 0 && value.frame === undefined && value.at === undefined)
      head = checkedHead(value, file, line)
    else entries.push(entryOf(value, file, line))
  }
  if (entries.length === 0) throw new ScenarioFault(`${file} holds no frame: ${EXPECTED} in each line`)
  return { ...head, entries }
}

function checkedHead(value: Payload, file: string, line: number): Omit<Trace, 'entries'> {
  const { protocol, chargePointId } = value
  const known = VERSIONS.map((version): unknown => `ocpp${version}`)
  if (protocol !== undefined && !known.includes(protocol))
    throw new ScenarioFault(`${file}:${line}: protocol is ${JSON.stringify(protocol)}: expected ${known.join(', ')}`)
  if (chargePointId !== undefined && typeof chargePointId !== 'string')
    throw new ScenarioFault(`${file}:${line}: chargePointId is no text`)
  return { protocol: protocol as Protocol | undefined, chargePointId }
}

function entryOf(value: Payload, file: string, line: number): TraceEntry {
  const { at, direction, frame } = value
  const time = typeof at === 'number' ? at : Date.parse(String(at))
  if (Number.isNaN(time))
    throw new ScenarioFault(`${file}:${line}: at is ${JSON.stringify(at)}: expected an RFC 3339 time`)
  if (direction !== 'in' && direction !== 'out')
    throw new ScenarioFault(`${file}:${line}: direction is ${JSON.stringify(direction)}: expected in or out`)
  const isCall = Array.isArray(frame) && (frame[0] === 2 || frame[0] === 6) && typeof frame[2] === 'string'
  const isAnswer = Array.isArray(frame) && [3, 4, 5].includes(Number(frame[0]))
  if (!isCall && !isAnswer) throw new ScenarioFault(`${file}:${line}: frame is no OCPP frame: ${EXPECTED}`)
  return { line, at: time, direction, frame: frame as Frame }
}
