/** What the API and the console do with messages on displays (DRIVER-M1 to DRIVER-M3). */

import { z } from '@hono/zod-openapi'
import {
  type DesiredMessage,
  DISPLAY_STATES,
  MESSAGE_FORMATS,
  MESSAGE_PRIORITIES,
  type StationMessage,
  type Translation,
} from '../../domain/display-messages/records.ts'
import { desiredMessageOf, inLanguage } from '../../domain/display-messages/rules.ts'
import { intentSchema } from '../../domain/events/intent-events.ts'
import type { Intent } from '../../domain/intents/records.ts'
import type { ChargePointView, Refusal } from '../../domain/ports/storage-records.ts'
import { refusalIn, refuse } from '../../domain/refuse.ts'
import { NAME } from '../../domain/typed-text.ts'
import { protocolName, versionOf } from '../../ocpp/versions.ts'
import type { UseCaseContext } from '../context.ts'
import { chargePointParams } from '../schemas/charge-points.ts'
import { instant, shown, time, typedText } from '../schemas/common.ts'
import { language } from '../schemas/id-tokens.ts'

type DisplayContext = Pick<UseCaseContext, 'reads' | 'core' | 'random' | 'now'>

/** A message requested for a display; times in ms since the epoch. */
export type AskedMessage = Omit<DesiredMessage, 'id' | 'clear' | 'shownAs'>

const MAX_DISPLAY_MESSAGES = 100
const OVER_KEPT = 20
/** Above what a charge point may have (INTENT-A8). */
const MAX_READ = 5_000
const PRINTABLE_ASCII = /^[\n\r\x20-\x7e]*$/

interface StationDisplay {
  readonly all: readonly Intent[]
  readonly requested: readonly Intent[]
  readonly others: readonly StationMessage[]
}

export async function displayMessagesOf(
  { reads }: Pick<DisplayContext, 'reads'>,
  chargePointId: string,
): Promise<StationDisplay> {
  const [intents, reported] = await Promise.all([
    reads.listRecords('intents', { where: { chargePointId }, limit: MAX_READ }),
    reads.listRecords('station_messages', { where: { chargePointId }, limit: MAX_READ }),
  ])
  const all = intents.filter(({ kind }) => kind === 'displayMessage')
  const ours = new Set(all.map((intent) => desiredMessageOf(intent).id))
  return {
    all,
    requested: all.filter((intent) => !desiredMessageOf(intent).clear),
    others: reported.filter(({ id }) => !ours.has(id)),
  }
}

export async function findDisplayMessage(
  place: Pick<DisplayContext, 'reads'>,
  chargePointId: string,
  name: string,
): Promise<Intent | undefined> {
  return named((await displayMessagesOf(place, chargePointId)).requested, name)
}

export async function putDisplayMessage(
  place: DisplayContext,
  chargePoint: ChargePointView,
  name: string,
  asked: AskedMessage,
  grantId?: string,
): Promise<Intent | Refusal> {
  const { id: chargePointId, accountId } = chargePoint
  const refusal = refuseFault(asked, place.now()) ?? (await refuseByStation(place, chargePoint, asked))
  if (refusal) return refusal
  const { all, others } = await displayMessagesOf(place, chargePointId)
  const known = named(all, name)
  const over = all.filter(({ state }) => state === 'expired').sort((one, other) => other.updatedAt - one.updatedAt)
  const full = known ? undefined : await refuseMore(place, chargePointId, all.length - over.length + others.length)
  if (full) return full
  // 31 bits and above 0: what every charge point can count. The same number replaces.
  const id = known ? desiredMessageOf(known).id : place.random(4).readUInt32BE() >>> 1 || 1
  const { endAt: expiresAt } = asked
  const forgotten = over.slice(OVER_KEPT).map(({ kind, key }) => ({ kind, key }))
  if (forgotten.length > 0) {
    await place.core.decideBlock({ accountId, chargePointId, input: { kind: 'intentsWithdrawn', intents: forgotten } })
  }
  const shownAs = await forDriver(place, chargePoint, asked)
  const desired = { id, ...asked, shownAs }
  const want = { kind: 'displayMessage', key: name, desired, expiresAt, grantId } as const
  const outcome = await place.core.decideBlock({
    accountId,
    chargePointId,
    input: { kind: 'intentsRequested', wants: [want] },
  })
  const refused = refusalIn(outcome)
  if (refused) return refused
  const made = await findDisplayMessage(place, chargePointId, name)
  return made ?? refuse(503, 'not_stored', 'The message could not be read. Look at the charge point.')
}

export async function removeDisplayMessage(
  { core }: Pick<DisplayContext, 'core'>,
  { accountId, chargePointId, kind, key }: Intent,
): Promise<Refusal | undefined> {
  const input = { kind: 'intentsWithdrawn', intents: [{ kind, key }] } as const
  return refusalIn(await core.decideBlock({ accountId, chargePointId, input }))
}

export function representDisplayMessage(intent: Intent): object {
  const { chargePointId, key: name } = intent
  const message = desiredMessageOf(intent)
  const others = { name, messageId: message.id, intent: shown(DisplayMessageIntentSchema, intent) }
  return shown(DisplayMessageSchema, { chargePointId, ...message }, others)
}

export function representOther({ id: messageId, message, updatedAt }: StationMessage): object {
  return shown(OtherDisplayMessageSchema, { ...message, updatedAt }, { messageId })
}

/** DRIVER-M7: the translation in the language of the driver who charges. */
async function forDriver(
  { reads }: DisplayContext,
  { id: chargePointId, accountId }: ChargePointView,
  { transactionId, translations = [] }: AskedMessage,
): Promise<Translation | undefined> {
  if (transactionId === undefined || translations.length === 0) return undefined
  const sessions = await reads.listOpenSessions(chargePointId)
  const { idToken } = sessions.find((session) => session.transactionId === transactionId) ?? {}
  const card = idToken === undefined ? undefined : await reads.findIdToken(accountId, idToken)
  return card?.language === undefined ? undefined : inLanguage(translations, card.language)
}

function named(all: readonly Intent[], name: string): Intent | undefined {
  return all.find(({ key }) => key.toLowerCase() === name.toLowerCase())
}

/** DRIVER-M2: what no charge point could show. */
function refuseFault(
  { content, format, startAt, endAt, translations = [] }: AskedMessage,
  now: number,
): Refusal | undefined {
  if (endAt !== undefined && endAt <= now) return unfit('/endAt', 'is over already')
  if (endAt !== undefined && startAt !== undefined && endAt <= startAt)
    return unfit('/endAt', 'must be later than startAt')
  const texts = [content, ...translations.map((one) => one.content)]
  if (format === 'ASCII' && !texts.every((text) => PRINTABLE_ASCII.test(text))) {
    return unfit('/content', 'has characters that ASCII does not have: take the format UTF8')
  }
  if (format === 'URI' && !texts.every((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''))) {
    return unfit('/content', 'must be an address that begins with https:// or http://')
  }
  return undefined
}

async function refuseByStation(
  { reads }: DisplayContext,
  { id: chargePointId, status: { protocol } }: ChargePointView,
  { format, priority, transactionId }: AskedMessage,
): Promise<Refusal | undefined> {
  const version = versionOf(protocol)
  if (version && !version.intents.displayMessage) {
    const detail = `The charge point speaks ${protocolName(version.protocol)}, which has no messages for a display.`
    return refuse(422, 'display_unsupported', detail)
  }
  const reported = await reportedByDisplay(reads, chargePointId)
  for (const name of ['available', 'enabled']) {
    if (reported(name)?.value?.toLowerCase() !== 'false') continue
    const detail = `The charge point says that it shows no messages (DisplayMessageCtrlr.${name}).`
    return refuse(422, 'display_unsupported', detail)
  }
  for (const [pointer, name, value] of [
    ['/format', 'supportedformats', format],
    ['/priority', 'supportedpriorities', priority],
  ] as const) {
    const list =
      reported(name)
        ?.value?.split(',')
        .map((one) => one.trim().toLowerCase()) ?? []
    if (list.length > 0 && list[0] !== '' && !list.includes(value.toLowerCase())) {
      return unfit(pointer, `is none that the charge point shows (${reported(name)?.value})`)
    }
  }
  if (transactionId === undefined) return undefined
  const sessions = await reads.listOpenSessions(chargePointId)
  const isOpen = sessions.some((session) => session.transactionId === transactionId)
  return isOpen ? undefined : unfit('/transactionId', 'is of no running charge there')
}

async function refuseMore(
  { reads }: DisplayContext,
  chargePointId: string,
  count: number,
): Promise<Refusal | undefined> {
  const reported = await reportedByDisplay(reads, chargePointId)
  const most = Math.min(MAX_DISPLAY_MESSAGES, reported('displaymessages')?.characteristics.maxLimit ?? Infinity)
  if (count < most) return undefined
  return refuse(409, 'too_many_display_messages', `The charge point has at most ${most} messages: delete one.`)
}

async function reportedByDisplay(reads: DisplayContext['reads'], chargePointId: string) {
  const names = ['available', 'enabled', 'supportedformats', 'supportedpriorities', 'displaymessages']
  const keys = names.map((name) => `displaymessagectrlr.${name}`)
  const rows = await reads.listRecords('variables', { where: { chargePointId, key: { in: keys } }, limit: keys.length })
  return (name: string) => rows.find(({ key, gone }) => !gone && key === `displaymessagectrlr.${name}`)
}

function unfit(pointer: string, message: string): Refusal {
  return {
    ...refuse(422, 'invalid_display_message', `The charge point cannot show this: ${pointer} ${message}.`),
    errors: [{ pointer, code: 'invalid_value', message }],
  }
}

const name = typedText(NAME)
export const displayMessageParams = chargePointParams.extend({ name })

const content = typedText({ most: 512, mayHaveLines: true })
const shared = {
  content,
  language: language.optional(),
  translations: z.array(z.strictObject({ content, language })).min(1).max(20).optional().openapi({
    description: 'Of a charge whose driver has a card with a language: the text that is in it is shown instead.',
  }),
  state: z.enum(DISPLAY_STATES).optional().openapi({
    description: 'It is shown while the charge point is in this state; always unless given.',
  }),
  transactionId: typedText({ most: 36 }).optional().openapi({
    description: 'Of a running charge: the message ends with it.',
  }),
}

export const PutDisplayMessageSchema = z
  .strictObject({
    ...shared,
    format: z.enum(MESSAGE_FORMATS).default('UTF8'),
    priority: z.enum(MESSAGE_PRIORITIES).default('NormalCycle').openapi({
      description: 'AlwaysFront: nothing else is shown. InFront: before those in the normal cycle.',
    }),
    startAt: instant('Not shown before.').optional(),
    endAt: instant('Gone then.').optional(),
  })
  .openapi('PutDisplayMessage')

const DisplayMessageIntentSchema = intentSchema(z)
  .pick({
    state: true,
    reason: true,
    revision: true,
    appliedRevision: true,
    attempts: true,
    nextAttemptAt: true,
    commandId: true,
    updatedAt: true,
  })
  .openapi('DisplayMessageIntent', {
    description:
      'How far it is: applied once the charge point accepted it, verified once it has reported it, expired once its time or its charge is over.',
  })

export const DisplayMessageSchema = z
  .strictObject({
    name,
    evseControllerId: z.string(),
    messageId: z.int().openapi({ description: 'The number under which the charge point knows it.' }),
    ...shared,
    format: z.enum(MESSAGE_FORMATS),
    priority: z.enum(MESSAGE_PRIORITIES),
    shownAs: z
      .strictObject({ content, language })
      .optional()
      .openapi({ description: 'The translation that the driver sees.' }),
    startAt: time().optional(),
    endAt: time().optional(),
    intent: DisplayMessageIntentSchema,
  })
  .openapi('DisplayMessage')

const OtherDisplayMessageSchema = z
  .strictObject({
    messageId: z.int(),
    content: z.string(),
    language: z.string().optional(),
    format: z.string(),
    priority: z.string(),
    state: z.string().optional(),
    startAt: time().optional(),
    endAt: time().optional(),
    transactionId: z.string().optional(),
    updatedAt: time().openapi({ description: 'When the charge point last reported it.' }),
  })
  .openapi('OtherDisplayMessage')

export const DisplayMessageListSchema = z
  .strictObject({
    data: z.array(DisplayMessageSchema),
    others: z
      .array(OtherDisplayMessageSchema)
      .openapi({ description: 'What the charge point said that it has besides.' }),
    meta: z.strictObject({}),
  })
  .openapi('DisplayMessageList')
