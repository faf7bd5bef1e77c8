/** Cards and tokens: found, made and taken from a file (ADMIN-G1, ADMIN-G2). */
import type { FC } from 'hono/jsx'
import {
  ID_TOKEN_COLUMNS as CARD_FIELDS,
  CARD_TYPES,
  ID_TOKEN_STATUSES,
  type IdTokenTexts,
} from '../../application/id-tokens/attributes.ts'
import { storeIdTokens, typeIdToken } from '../../application/id-tokens/id-tokens.ts'
import { type LineFault, type ReadCards, readCardFile } from '../../application/id-tokens/import.ts'
import { isoTime } from '../../domain/iso-time.ts'
import type { IdToken } from '../../domain/ports/id-tokens.ts'
import { ID_TOKEN } from '../../domain/typed-text.ts'
import { Action, type Frame, NOTHING_TYPED, Page, type Typed } from '../../web/entries.tsx'
import { shownFigure } from '../../web/figures.tsx'
import { Table, TableCard, Title } from '../../web/parts/table.tsx'
import { shownTime } from '../../web/times.tsx'
import type { ConsolePage } from '../console-parts.ts'
import { labelsOf, pageSize, search } from '../kit/filters.ts'
import { asOptions, type Fields, Form, filledIn, typedWith } from '../kit/form.tsx'
import { FilterForm, Paging } from '../kit/list.tsx'
import { listing, pageOfRows, queryOf, rowsAsked } from '../kit/listing.ts'
import { ago, chip, cutOff, link, wordsIn } from '../kit/parts.tsx'
import { translated } from '../kit/translated.ts'
import { fieldTime, inZone } from '../local-time.ts'
import { cardPath } from '../paths.ts'
import { again, ordering, type Shown, trying, type Visit } from '../visit.tsx'

export const ACTION = 'cards'
export const LIST = '/id-tokens'

const CARD_FILTERS = { q: search(labelsOf('idTokens')('search')), size: pageSize }
/** Of the place to go on from, a character being two units at most. */
const MAX_UNITS = 2 * ID_TOKEN.most
/** They are stored in one transaction, and messages of charge points wait for it. */
const MAX_CARDS = 5000
/** More is mended in the file. */
const MAX_KEPT = 50_000

export const showCards: ConsolePage = listing('see', CARD_FILTERS, (visit) => cardsPage(visit))

export const createCard: ConsolePage = ordering('operate', ACTION, async (visit, form) => {
  const { site, accountId, frame } = visit
  const made = await typeIdToken(site, accountId, typedCard(visit, form))
  if (!('refused' in made)) return LIST
  const exists = made.code === 'id_token_exists'
  const refusal = exists ? { ...made, detail: wordsIn('idTokens', frame).exists } : made
  return again(await cardsPage(visit, { card: typedWith(form, refusal) }), refusal)
})

/** Nothing is changed. */
export const tryCards: ConsolePage = trying(ACTION, (visit, form) => shownFile(visit, readSent(visit, form)), {
  files: true,
})

export const importCards: ConsolePage = ordering(
  'operate',
  ACTION,
  async (visit, form) => {
    const read = readSent(visit, form)
    if (!('tokens' in read.preview)) return shownFile(visit, read)
    const { created, changed, unchanged } = await storeIdTokens(visit.site, read.preview)
    return `${LIST}?${new URLSearchParams({ imported: [created, changed, unchanged].join(' ') })}`
  },
  { files: true },
)

type FilePreview = ReadCards | { readonly faults: readonly LineFault[] }

interface SentCards {
  readonly field: 'file' | 'csv'
  readonly text: string
  readonly preview: FilePreview | { readonly refused: string }
}

function readSent({ site, accountId, frame }: Visit, form: URLSearchParams): SentCards {
  const words = wordsIn('idTokens', frame)
  const field = form.get('file') ? 'file' : 'csv'
  const text = form.get(field) ?? ''
  if (text.includes('\uFFFD')) return { field, text, preview: { refused: words.notUtf8 } }
  const preview = readCardFile(text, { accountId, createdAt: site.now() })
  const isTooLong = 'tokens' in preview && preview.tokens.length > MAX_CARDS
  return {
    field,
    text,
    preview: isTooLong ? { refused: words.tooManyCards(preview.tokens.length, MAX_CARDS) } : preview,
  }
}

async function shownFile(visit: Visit, { field, text, preview }: SentCards): Promise<Shown> {
  const form = new URLSearchParams({ csv: text.length <= MAX_KEPT ? text : '' })
  const tried =
    'refused' in preview
      ? { file: { form, faults: { [field]: preview.refused } } }
      : { file: { form, faults: {} }, preview }
  return { page: await cardsPage(visit, tried), status: 'tokens' in preview ? 200 : 400 }
}

interface Tried {
  readonly card?: Typed
  readonly file?: Typed
  readonly preview?: FilePreview
}

async function cardsPage(visit: Visit, tried: Tried = {}) {
  const { site, context, accountId, frame, operates } = visit
  const words = wordsIn('idTokens', frame)
  const query = queryOf(visit, CARD_FILTERS)
  const { after, imported = '' } = context.req.query()
  const page = { limit: rowsAsked(frame), afterId: after?.slice(0, MAX_UNITS) }
  const found = query.wrong.length > 0 ? [] : await site.reads.listIdTokens(accountId, page, query.requested.q)
  const { rows, last } = pageOfRows(found, frame)
  const [, created, changed = '', unchanged = ''] = /^(\d{1,9}) (\d{1,9}) (\d{1,9})$/.exec(imported) ?? []
  const path = frame.root + LIST
  return (
    <Page frame={frame} title={words.cards} wide>
      <Title text={words.cards}>{operates && <Forms visit={visit} {...tried} />}</Title>
      {created !== undefined && (
        <p class="card" role="status">
          {words.imported(created, changed, unchanged)}
        </p>
      )}
      <FilterForm frame={frame} path={path} filters={CARD_FILTERS} query={query} />
      <TableCard<IdToken>
        label={words.cards}
        oneLine
        rows={rows}
        empty={words.noCards}
        columns={[
          link(words.id, ({ id }) => ({ to: cardPath(frame, id), text: id }), { kind: 'host', whole: ({ id }) => id }),
          chip(words.status, ({ status }) => [status === 'Accepted' ? '' : 'bad held', words.statuses[status]], {
            width: 136,
          }),
          { title: words.type, width: 136, wideOnly: true, cell: ({ type }) => type },
          cutOff(words.group, ({ groupId }) => groupId, { kind: 'host', wideOnly: true }),
          ago(frame, words.expires, ({ expiresAt }) => expiresAt, { width: 136 }),
          operates && {
            title: words.action,
            kind: 'acts',
            width: 120,
            cell: (card) => <BlockOrAccept visit={visit} card={card} />,
          },
        ]}
      />
      <Paging frame={frame} path={path} query={query.asked} later={after !== undefined} next={last?.id} />
    </Page>
  )
}

const Forms: FC<Tried & { visit: Visit }> = ({ visit, card = NOTHING_TYPED, file = NOTHING_TYPED, preview }) => {
  const { frame } = visit
  const words = wordsIn('idTokens', frame)
  const trial = `${frame.root}/import/id-tokens/try`
  const isFileTried = preview !== undefined || Object.keys(file.faults).length > 0
  return (
    <>
      <Form
        visit={visit}
        action={ACTION}
        to={`${frame.root}/import/id-tokens`}
        title={words.importCards}
        folded={isFileTried ? 'open' : 'closed'}
        trial={trial}
        // A file is chosen anew each time; what it held stands in the text below.
        typed={{ form: new URLSearchParams(), faults: file.faults }}
        once
        file
        fields={[
          { name: 'file', label: words.csvFile, type: 'file', hint: words.importHint },
          { name: 'csv', label: words.csv, value: file.form.get('csv') ?? '', lines: true },
        ]}
        submit={words.importButton}
        more={
          <button type="submit" formaction={trial}>
            {words.previewButton}
          </button>
        }
      >
        <div data-tried="cards" role="status">
          {preview && <CardFile frame={frame} preview={preview} />}
        </div>
      </Form>
      <Form
        visit={visit}
        action={ACTION}
        to={frame.root + LIST}
        title={words.newCard}
        folded={card.form.size > 0 ? 'open' : 'closed'}
        typed={card}
        once
        fields={[{ name: 'id', label: words.id, required: true }, ...attributes(frame)]}
        submit={words.create}
      />
    </>
  )
}

const MAX_FAULTS = 1000
const MAX_ROWS = 5

const CardFile: FC<{ frame: Frame; preview: FilePreview }> = ({ frame, preview }) => {
  const words = wordsIn('idTokens', frame)
  const figure = (count: number): string => shownFigure(frame, count)
  if ('faults' in preview) {
    const { faults } = preview
    return (
      <>
        <p class="warn">{words.faulty(figure(faults.length), figure(new Set(faults.map(({ line }) => line)).size))}</p>
        <ul class="choices scroll">
          {faults.slice(0, MAX_FAULTS).map(({ line, message }) => (
            <li>{words.line(line, translated(frame, message))}</li>
          ))}
        </ul>
      </>
    )
  }
  const { tokens, columns } = preview
  const blocked = tokens.filter(({ status }) => status !== 'Accepted').length
  return (
    <>
      <p>
        <strong>{words.holds(figure(tokens.length), figure(blocked))}</strong>{' '}
        <span class="soft">{words.columns(columns.join(', '))}</span>
      </p>
      <Table<IdToken>
        plain
        rows={tokens.slice(0, MAX_ROWS)}
        columns={columns.map((name) => ({
          title: name,
          text: (card) =>
            (name === 'expiresAt' ? card.expiresAt && shownTime(frame, card.expiresAt) : card[name]) || '',
        }))}
      />
      {tokens.length > MAX_ROWS && <p class="soft">…</p>}
    </>
  )
}

export function typedCard({ frame: { timeZone } }: Visit, form: URLSearchParams, card?: IdToken): IdTokenTexts {
  const { expiresAt, ...texts } = filledIn(form, CARD_FIELDS)
  if (expiresAt === undefined) return texts
  const before = card?.expiresAt
  const isAsBefore = before !== undefined && fieldTime(before, timeZone) === expiresAt
  return { ...texts, expiresAt: isAsBefore ? isoTime(before) : inZone(expiresAt, timeZone) }
}

export function attributes(frame: Frame, card?: IdToken): Fields {
  const words = wordsIn('idTokens', frame)
  const expires = card?.expiresAt
  return [
    { name: 'type', label: words.type, value: card?.type ?? 'ISO14443', options: asOptions(CARD_TYPES) },
    {
      name: 'status',
      label: words.status,
      value: card?.status ?? 'Accepted',
      options: Object.fromEntries(ID_TOKEN_STATUSES.map((status) => [status, words.statuses[status] ?? status])),
    },
    {
      name: 'expiresAt',
      label: words.expires,
      type: 'datetime-local',
      value: expires === undefined ? '' : fieldTime(expires, frame.timeZone),
      hint: words.expiresHint,
    },
    { name: 'groupId', label: words.group, value: card?.groupId },
  ]
}

export const BlockOrAccept: FC<{ visit: Visit; card: IdToken }> = ({ visit: { frame, csrf }, card }) => {
  const words = wordsIn('idTokens', frame)
  const [action, name] = card.status === 'Accepted' ? ['block', words.block] : ['accept', words.accept]
  return <Action to={`${cardPath(frame, card.id)}/${action}`} csrf={csrf(ACTION)} text={name} />
}
