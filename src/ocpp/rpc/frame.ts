/** Framing of OCPP-J, tolerant (OCPP-RP2); ids and payloads are kept exactly as sent. */
import { parsedJson } from '../../domain/parsed-json.ts'
import { mendFrames } from './mend.ts'

export type Frame =
  | {
      readonly type: 'call'
      readonly messageId: string
      /** The id as JSON text, echoed with its original type (OCPP-RP2). */
      readonly idText: string
      readonly action: string
      readonly payload: unknown
      /** As sent; `{}` when it is missing or null. */
      readonly payloadText: string
      /** Message type 6 of OCPP 2.1, which is never answered. */
      readonly isSend?: true | undefined
      /** Was invalid JSON. */
      readonly mended?: true | undefined
      /** Was invalid UTF-8: unreadable bytes are U+FFFD. */
      readonly notUtf8?: true | undefined
      /** Nested too deeply; the payload was not read (OCPP-RP12). */
      readonly tooDeep?: true | undefined
    }
  | {
      readonly type: 'result'
      readonly messageId: string
      readonly payload: unknown
      readonly payloadText: string
    }
  | {
      /** `resultError`: message type 5 of OCPP 2.1, our answer could not be used (OCPP-RP11). */
      readonly type: 'error' | 'resultError'
      readonly messageId: string
      readonly code: string
      readonly description: string
      readonly details: unknown
    }
  | { readonly type: 'unknownType'; readonly messageType: number; readonly idText: string }
  | { readonly type: 'empty' }
  | {
      readonly type: 'malformed'
      readonly reason: string
      /** If the id was readable, for the answer. */
      readonly idText?: string | undefined
    }

/** OCPP-RP2: specified are 36 characters; longer ones occur in the field. */
const MESSAGE_ID_LIMIT = 255
/** Official messages nest less than 10 deep; beyond this, recursive readers would be at risk (OCPP-RP12). */
const NESTING_LIMIT = 64
/** OCPP-EC2 */
const DESCRIPTION_LIMIT = 255
/** Answers to messages with an unreadable id (OCPP 2.0.1 part 4 §4.2.3). */
const UNREADABLE_ID = '"-1"'

/** The messages of one text frame, several if a station joined them. Mended (mend.ts) unless validated strictly. */
export function readFrames(text: string, { lenient = true, notUtf8 = false }: Reading = {}): readonly Frame[] {
  const frame = readFrame(text)
  const isNoJson = frame.type === 'malformed' && frame.reason === NOT_JSON
  const mended = isNoJson && lenient ? mendFrames(text).map(readMended) : []
  const frames = mended.length > 0 ? mended : [frame]
  return notUtf8 ? frames.map((one) => (one.type === 'call' ? { ...one, notUtf8 } : one)) : frames
}

interface Reading {
  /** Tries to mend invalid JSON. */
  readonly lenient?: boolean | undefined
  readonly notUtf8?: boolean | undefined
}

function readMended(text: string): Frame {
  const frame = readFrame(text)
  return frame.type === 'call' ? { ...frame, mended: true } : frame
}

/** Never throws: `malformed`, with a sentence, if unreadable (OCPP-RP10, OCPP-RP12). */
export function readFrame(text: string): Frame {
  if (text.trim() === '') return { type: 'empty' }
  if (nestsDeeperThan(text, NESTING_LIMIT)) return readDeep(text)
  const elements = parsedJson(text)
  if (elements === undefined) return malformed(NOT_JSON)
  if (!Array.isArray(elements)) return malformed('The message is not a JSON array.')
  const [said, id] = elements as unknown[]
  // A message type sent as text still answers an open call.
  const messageType = said === '3' || said === '4' ? Number(said) : said
  if (typeof messageType !== 'number' || !Number.isFinite(messageType)) {
    return malformed('The first element must be the message type, a number.')
  }
  const texts = arrayElements(text, elements.length, 4)
  const read = readId(id, texts[1])
  switch (messageType) {
    case 2:
      return read ? readCall(elements, texts, read) : malformed(ID_EXPECTED)
    case 3:
      return read
        ? { type: 'result', messageId: read.messageId, ...payloadAt(elements, texts, 2) }
        : malformed(ID_EXPECTED)
    case 4:
    case 5:
      return read ? readError(elements, messageType, read.messageId) : malformed(ID_EXPECTED)
    case SEND:
      return asSend(read && readCall(elements, texts, read))
    default:
      return { type: 'unknownType', messageType, idText: read?.idText ?? UNREADABLE_ID }
  }
}

/** Reads only up to the payload, so that the answer has its id and an open call ends. */
function readDeep(text: string): Frame {
  const [type, idText, actionText, payloadText = '{}'] = text.trimStart().startsWith('[')
    ? arrayElements(text, 4, 4)
    : []
  const read = idText === undefined || isNested(idText) ? undefined : readId(parsedJson(idText), idText)
  if (!read) return malformed(TOO_DEEP)
  const { messageId } = read
  if (type === '3' || type === '4') {
    return { type: 'error', messageId, code: '', description: TOO_DEEP, details: {} }
  }
  const action = actionText === undefined || isNested(actionText) ? undefined : parsedJson(actionText)
  const isSend = type === '6'
  if ((type !== '2' && !isSend) || typeof action !== 'string') {
    return { type: 'malformed', reason: TOO_DEEP, idText: read.idText }
  }
  return { type: 'call', ...read, action, payload: {}, payloadText, tooDeep: true, ...(isSend && { isSend }) }
}

function isNested(text: string): boolean {
  return text.startsWith('[') || text.startsWith('{')
}

export function callText(messageId: string, action: string, payload: unknown): string {
  return `[2,${JSON.stringify(messageId)},${JSON.stringify(action)},${JSON.stringify(payload)}]`
}

/** @param idText, payloadText JSON */
export function resultText(idText: string, payloadText: string): string {
  return `[3,${idText},${payloadText}]`
}

/** The description is cut to the specified length (OCPP-EC2). */
export function errorText(
  idText: string,
  code: string,
  description: string,
  details: Readonly<Record<string, unknown>> = {},
  messageType: 4 | 5 = 4,
): string {
  const short = JSON.stringify(description.slice(0, DESCRIPTION_LIMIT))
  return `[${messageType},${idText},${JSON.stringify(code)},${short},${JSON.stringify(details)}]`
}

const NOT_JSON = 'The message is not JSON.'
const TOO_DEEP = 'The message is nested too deeply.'
const ID_EXPECTED = `The second element must be the message id, a string of at most ${MESSAGE_ID_LIMIT} characters.`

interface MessageId {
  readonly messageId: string
  readonly idText: string
}

function readId(id: unknown, idText: string | undefined): MessageId | undefined {
  if (idText === undefined || idText.length > 6 * MESSAGE_ID_LIMIT) return undefined
  // A number stays as written: parsing may have changed it.
  const messageId = typeof id === 'string' ? id : typeof id === 'number' ? idText : undefined
  return messageId !== undefined && messageId.length <= MESSAGE_ID_LIMIT ? { messageId, idText } : undefined
}

function readCall(elements: readonly unknown[], texts: readonly string[], { messageId, idText }: MessageId): Frame {
  const action = elements[2]
  if (typeof action !== 'string') {
    return { type: 'malformed', reason: 'The third element must be the action, a string.', idText }
  }
  return { type: 'call', messageId, idText, action, ...payloadAt(elements, texts, 3) }
}

const SEND = 6

/** One that cannot be read is an unknown frame, not a malformed one: it is never answered either (OCPP21-A1). */
function asSend(frame: Frame | undefined): Frame {
  if (frame?.type === 'call') return { ...frame, isSend: true }
  return { type: 'unknownType', messageType: SEND, idText: UNREADABLE_ID }
}

function readError(elements: readonly unknown[], messageType: 4 | 5, messageId: string): Frame {
  const [, , code, description, details] = elements
  return {
    type: messageType === 5 ? 'resultError' : 'error',
    messageId,
    code: typeof code === 'string' ? code : '',
    description: typeof description === 'string' ? description : '',
    details: details ?? {},
  }
}

function payloadAt(
  elements: readonly unknown[],
  texts: readonly string[],
  index: number,
): { readonly payload: unknown; readonly payloadText: string } {
  const payload = elements[index]
  const payloadText = texts[index]
  return payload === undefined || payload === null || payloadText === undefined
    ? { payload: {}, payloadText: '{}' }
    : { payload, payloadText }
}

function malformed(reason: string): Frame {
  return { type: 'malformed', reason }
}

/**
 * Scans JSON text: ids and payloads stay as sent, as parsing loses integers above 2^53 (OCPP-DR3). Linear (OIDC-U9).
 */
const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** Source texts of the first `count` elements of an array of `length` that JSON.parse has accepted, trimmed. */
function arrayElements(text: string, length: number, count: number): readonly string[] {
  const elements: string[] = []
  let start = text.indexOf('[') + 1
  while (elements.length < Math.min(length, count)) {
    const isLast = elements.length === length - 1
    // The payload is nearly always the last element: its end is known without a scan.
    const end = isLast ? text.lastIndexOf(']') : elementEnd(text, start)
    elements.push(text.slice(start, end).trim())
    start = end + 1
  }
  return elements
}

/** Whether nesting exceeds `limit`; also for text that is no JSON. */
export function nestsDeeperThan(text: string, limit: number): boolean {
  // A cheap bound, whatever their order, inside strings or not.
  if (count(text, '[', limit) + count(text, '{', limit) <= limit) return false
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === QUOTE) at = stringEnd(text, at)
    else if (character === OPEN_BRACKET || character === OPEN_BRACE) {
      depth++
      if (depth > limit) return true
    } else if (character === CLOSE_BRACKET || character === CLOSE_BRACE) depth--
  }
  return false
}

/** Stops counting just beyond `limit`. */
function count(text: string, character: string, limit: number): number {
  let found = 0
  for (let at = text.indexOf(character); at !== -1 && found <= limit; at = text.indexOf(character, at + 1)) found++
  return found
}

/** Position of the comma or bracket that ends the element at `start`. */
function elementEnd(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === QUOTE) at = stringEnd(text, at)
    else if (character === OPEN_BRACKET || character === OPEN_BRACE) depth++
    else if (depth === 0 && (character === COMMA || character === CLOSE_BRACKET)) return at
    else if (character === CLOSE_BRACKET || character === CLOSE_BRACE) depth--
  }
  return text.length
}

/** Position of the closing quote. */
function stringEnd(text: string, open: number): number {
  let close = text.indexOf('"', open + 1)
  while (close !== -1 && isEscaped(text, close)) close = text.indexOf('"', close + 1)
  return close === -1 ? text.length : close
}

/** After an odd number of backslashes. */
function isEscaped(text: string, at: number): boolean {
  let before = at
  while (text.charCodeAt(before - 1) === BACKSLASH) before--
  return (at - before) % 2 === 1
}

/** Prefix of a text whose bytes were no UTF-8: no OCPP message begins with this character (OCPP-RP12). */
export const NOT_UTF8 = '\uFFFD'
