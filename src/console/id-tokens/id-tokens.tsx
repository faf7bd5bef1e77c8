/** Cards and tokens: found, made, changed, blocked, deleted and taken from a file (ADMIN-G1, ADMIN-G2). */
import { check } from '../../application/check-schema.ts'
import { ID_TOKEN_COLUMNS as CARD_FIELDS, type IdTokenTexts } from '../../application/id-tokens/attributes.ts'
import { budgetStanding } from '../../application/id-tokens/budget.ts'
import {
  changeIdToken,
  deleteIdToken,
  retypeIdToken,
  storeIdTokens,
  typeIdToken,
} from '../../application/id-tokens/id-tokens.ts'
import { readCardFile } from '../../application/id-tokens/import.ts'
import { ChangeIdTokenSchema } from '../../application/schemas/id-tokens.ts'
import { isoTime } from '../../domain/iso-time.ts'
import type { IdToken } from '../../domain/ports/id-tokens.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { noSuch, refuseFaults } from '../../domain/refuse.ts'
import { ID_TOKEN } from '../../domain/typed-text.ts'
import { NOTHING_TYPED, type Typed } from '../../web/entries.tsx'
import type { PageContext } from '../../web/site.ts'
import { limitField, typedCardLimits } from '../charge-limits/charge-limits.tsx'
import type { ConsolePage } from '../console-parts.ts'
import { filledIn, typedWith } from '../kit/form.tsx'
import { pageOfRows, rowsAsked } from '../kit/listing.ts'
import { cardTexts } from '../kit/parts.tsx'
import { fieldTime, inZone } from '../local-time.ts'
import { again, ordering, type Shown, showing, trying, type Visit } from '../visit.tsx'
import { ACTION, CardPage, CardsPage, type FilePreview } from './id-tokens-page.tsx'

const LIST = '/id-tokens'
/** Of the search and of the place to go on from, a character being two units at most: longer ones find nothing. */
const MAX_UNITS = 2 * ID_TOKEN.most
/** They are stored in one transaction, and messages of charge points wait for it. */
const MAX_CARDS = 5000
/** More is mended in the file. */
const MAX_KEPT = 50_000

export const showCards: ConsolePage = showing('see', (visit) => cardsPage(visit))

export const createCard: ConsolePage = ordering('operate', ACTION, async (visit, form) => {
  const { site, accountId, frame } = visit
  const made = await typeIdToken(partsOf(site), accountId, typedCard(visit, form))
  if (!('refused' in made)) return LIST
  const exists = made.code === 'id_token_exists'
  const refusal = exists ? { ...made, detail: cardTexts(frame).exists } : made
  return again(await cardsPage(visit, { card: typedWith(form, refusal) }), refusal)
})

/** Nothing is changed. */
export const tryCards: ConsolePage = trying(ACTION, (visit, form) => readSent(visit, form).then(shownFile(visit)), {
  files: true,
})

export const importCards: ConsolePage = ordering(
  'operate',
  ACTION,
  async (visit, form) => {
    const read = await readSent(visit, form)
    if (!('tokens' in read.preview)) return shownFile(visit)(read)
    const { created, changed, unchanged } = await storeIdTokens(partsOf(visit.site), read.preview)
    return `${LIST}?${new URLSearchParams({ imported: [created, changed, unchanged].join(' ') })}`
  },
  { files: true },
)

interface SentCards {
  readonly field: 'file' | 'csv'
  readonly text: string
  readonly preview: FilePreview | { readonly refused: string }
}

async function readSent({ site, accountId, frame }: Visit, form: URLSearchParams): Promise<SentCards> {
  const words = cardTexts(frame)
  const sent = sentCards(form)
  if (sent.text.includes('\uFFFD')) return { ...sent, preview: { refused: words.notUtf8 } }
  const preview = readCardFile(sent.text, { accountId, createdAt: site.now() })
  const isTooLong = 'tokens' in preview && preview.tokens.length > MAX_CARDS
  return { ...sent, preview: isTooLong ? { refused: words.tooManyCards(preview.tokens.length, MAX_CARDS) } : preview }
}

function shownFile(visit: Visit): (sent: SentCards) => Promise<Shown> {
  return async ({ field, text, preview }) => {
    const form = new URLSearchParams({ csv: text.length <= MAX_KEPT ? text : '' })
    const isRefused = 'refused' in preview
    const file = { form, faults: isRefused ? { [field]: preview.refused } : {} }
    const page = await cardsPage(visit, isRefused ? { file } : { file, preview })
    return { page, status: 'tokens' in preview ? 200 : 400 }
  }
}

function sentCards(form: URLSearchParams): { readonly field: 'file' | 'csv'; readonly text: string } {
  const file = form.get('file') ?? ''
  return file === '' ? { field: 'csv', text: form.get('csv') ?? '' } : { field: 'file', text: file }
}

export const showCard: ConsolePage = showing('see', async (visit) => {
  const card = await cardOf(visit)
  return card && cardPage(visit, card)
})

export const changeCard: ConsolePage = ordering('operate', ACTION, async (visit, form) => {
  const card = await cardOf(visit)
  if (!card) return noSuch('id token')
  // A field that is left empty removes its attribute.
  const { id: _, ...texts } = typedCard(visit, form, card)
  const changed = await retypeIdToken(partsOf(visit.site), card, { expiresAt: '', groupId: '', ...texts })
  if (!('refused' in changed)) return LIST
  return again(await cardPage(visit, card, typedWith(form, changed)), changed)
})

/** CONSOLE-G9: what is left empty is taken away. */
async function limitCard(visit: Visit, form: URLSearchParams): Promise<string | Refusal | Shown> {
  const card = await cardOf(visit)
  if (!card) return noSuch('id token')
  const checked = check(ChangeIdTokenSchema, typedCardLimits(form))
  const changed = checked.ok
    ? await changeIdToken(partsOf(visit.site), card, checked.value)
    : refuseFaults(checked.faults)
  if (!('refused' in changed)) return `${LIST}/${encodeURIComponent(card.id)}`
  const errors = changed.errors?.map((fault) => ({ ...fault, pointer: `/${limitField(fault.pointer)}` }))
  const limits = typedWith(form, { ...changed, ...(errors && { errors }) })
  return again(await cardPage(visit, card, NOTHING_TYPED, limits), changed)
}

export const actOnCard: ConsolePage = ordering('operate', ACTION, async (visit, form) => {
  const { site, context, accountId } = visit
  const id = idOf(context)
  const action = context.req.param('action')
  if (action === 'limits') return limitCard(visit, form)
  if (action === 'delete') return (await deleteIdToken(partsOf(site), accountId, id)) ?? LIST
  const status = action === 'block' ? 'Blocked' : action === 'accept' ? 'Accepted' : undefined
  if (!status) return noSuch('page')
  const changed = await changeIdToken(partsOf(site), { accountId, id }, { status })
  return 'refused' in changed ? changed : LIST
})

function typedCard({ frame: { timeZone } }: Visit, form: URLSearchParams, card?: IdToken): IdTokenTexts {
  const { expiresAt, ...texts } = filledIn(form, CARD_FIELDS)
  if (expiresAt === undefined) return texts
  const before = card?.expiresAt
  const isAsBefore = before !== undefined && fieldTime(before, timeZone) === expiresAt
  return { ...texts, expiresAt: isAsBefore ? isoTime(before) : inZone(expiresAt, timeZone) }
}

function idOf({ req }: PageContext): string {
  return req.param('idToken') ?? ''
}

/** Lists that the card is in count the days of its budget. */
function partsOf(site: Visit['site']) {
  return site
}

function cardOf({ site, context, accountId }: Visit): Promise<IdToken | undefined> {
  return site.reads.findIdToken(accountId, idOf(context))
}

async function cardPage(visit: Visit, card: IdToken, typed: Typed = NOTHING_TYPED, limits: Typed = NOTHING_TYPED) {
  const { site } = visit
  const standing = await budgetStanding(site, card, site.now(), site.timeZone)
  return <CardPage {...{ visit, card, typed, limits, standing }} />
}

async function cardsPage(
  visit: Visit,
  typed: { readonly card?: Typed; readonly file?: Typed; readonly preview?: FilePreview } = {},
) {
  const { site, context, accountId, frame } = visit
  const { q = '', after, imported } = context.req.query()
  const page = { limit: rowsAsked(frame), afterId: after?.slice(0, MAX_UNITS) }
  const requested = q.trim().slice(0, MAX_UNITS)
  const found = await site.reads.listIdTokens(accountId, page, requested === '' ? undefined : requested)
  const { rows, last } = pageOfRows(found, frame)
  const counts = /^\d{1,9} \d{1,9} \d{1,9}$/.test(imported ?? '') ? imported?.split(' ') : undefined
  return (
    <CardsPage
      visit={visit}
      cards={rows}
      query={q}
      later={after !== undefined}
      next={last?.id}
      imported={counts}
      typed={typed.card ?? NOTHING_TYPED}
      file={typed.file ?? NOTHING_TYPED}
      preview={typed.preview}
    />
  )
}
