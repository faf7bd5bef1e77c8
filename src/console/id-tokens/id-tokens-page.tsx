import type { FC } from 'hono/jsx'
import { CARD_TYPES, ID_TOKEN_STATUSES } from '../../application/id-tokens/attributes.ts'
import type { BudgetStanding } from '../../application/id-tokens/budget.ts'
import type { LineFault, ReadCards } from '../../application/id-tokens/import.ts'
import type { IdToken } from '../../domain/ports/id-tokens.ts'
import { Action, type Frame, Page, type Typed } from '../../web/entries.tsx'
import { shownFigure } from '../../web/figures.tsx'
import { Table, TableCard, Title } from '../../web/parts/table.tsx'
import { shownTime } from '../../web/times.tsx'
import { cardFields, limitsText, Standing } from '../charge-limits/charge-limits.tsx'
import { type Fields, Form } from '../kit/form.tsx'
import { Paging, sizeIn } from '../kit/list.tsx'
import { ago, cardTexts, chargeLimitTexts, chip, cutOff, Facts, link, Panel } from '../kit/parts.tsx'
import { translated } from '../kit/translated.ts'
import { fieldTime } from '../local-time.ts'
import { cardPath } from '../paths.ts'
import type { Visit } from '../visit.tsx'

export const ACTION = 'cards'

export type FilePreview = ReadCards | { readonly faults: readonly LineFault[] }

interface CardsProps {
  readonly visit: Visit
  readonly cards: readonly IdToken[]
  readonly query: string
  readonly later: boolean
  readonly next: string | undefined
  readonly imported: readonly string[] | undefined
  readonly typed: Typed
  readonly file: Typed
  readonly preview: FilePreview | undefined
}

export const CardsPage: FC<CardsProps> = ({ visit, cards, query, later, next, imported, ...forms }) => {
  const { frame, operates } = visit
  const words = cardTexts(frame)
  const path = `${frame.root}/id-tokens`
  const [created = '', changed = '', unchanged = ''] = imported ?? []
  return (
    <Page frame={frame} title={words.cards} wide>
      <Title text={words.cards}>{operates && <Forms visit={visit} {...forms} />}</Title>
      {imported && (
        <p class="card" role="status">
          {words.imported(created, changed, unchanged)}
        </p>
      )}
      <form class="searchline" method="get" action={path}>
        <input type="search" name="q" value={query} aria-label={words.search} placeholder={words.search} />
        <input type="hidden" name="size" value={sizeIn(frame).size ?? ''} />
        <button type="submit">{words.search}</button>
      </form>
      <TableCard<IdToken>
        label={words.cards}
        oneLine
        rows={cards}
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
      <Paging frame={frame} path={path} query={{ q: query || undefined }} later={later} next={next} />
    </Page>
  )
}

const Forms: FC<Pick<CardsProps, 'visit' | 'typed' | 'file' | 'preview'>> = ({ visit, typed, file, preview }) => {
  const { frame } = visit
  const words = cardTexts(frame)
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
        to={`${frame.root}/id-tokens`}
        title={words.newCard}
        folded={typed.form.size > 0 ? 'open' : 'closed'}
        typed={typed}
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
  const words = cardTexts(frame)
  if ('faults' in preview) {
    const { faults } = preview
    return (
      <>
        <p class="warn">
          {words.faulty(
            shownFigure(frame, faults.length),
            shownFigure(frame, new Set(faults.map(({ line }) => line)).size),
          )}
        </p>
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
        <strong>{words.holds(shownFigure(frame, tokens.length), shownFigure(frame, blocked))}</strong>{' '}
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

function attributes(frame: Frame, card?: IdToken): Fields {
  const words = cardTexts(frame)
  return [
    {
      name: 'type',
      label: words.type,
      value: card?.type ?? 'ISO14443',
      options: Object.fromEntries(CARD_TYPES.map((type) => [type, type])),
    },
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
      value: card?.expiresAt === undefined ? '' : fieldTime(card.expiresAt, frame.timeZone),
      hint: words.expiresHint,
    },
    { name: 'groupId', label: words.group, value: card?.groupId },
  ]
}

const BlockOrAccept: FC<{ visit: Visit; card: IdToken }> = ({ visit: { frame, csrf }, card }) => {
  const words = cardTexts(frame)
  const [action, name] = card.status === 'Accepted' ? ['block', words.block] : ['accept', words.accept]
  return <Action to={`${cardPath(frame, card.id)}/${action}`} csrf={csrf(ACTION)} text={name} />
}

interface CardProps {
  readonly visit: Visit
  readonly card: IdToken
  readonly typed: Typed
  readonly limits: Typed
  readonly standing: BudgetStanding | undefined
}

export const CardPage: FC<CardProps> = ({ visit, card, typed, limits, standing }) => {
  const { frame, operates, csrf } = visit
  const words = cardTexts(frame)
  const path = cardPath(frame, card.id)
  return (
    <Page frame={frame} title={words.card}>
      <Title text={<bdi class="host">{card.id}</bdi>} up={[[`${frame.root}/id-tokens`, words.cards]]}>
        {operates && (
          <>
            <BlockOrAccept visit={visit} card={card} />
            <Action
              to={`${path}/delete`}
              csrf={csrf(ACTION)}
              style="danger"
              ask={words.deleteCardAsk}
              order={words.deleteOf(`${words.card} ${card.id}`)}
              text={words.delete}
            />
          </>
        )}
      </Title>
      {operates ? (
        <Form
          visit={visit}
          action={ACTION}
          to={path}
          typed={typed}
          fields={attributes(frame, card)}
          submit={words.save}
        />
      ) : (
        <Facts
          class="card"
          facts={[
            [words.status, words.statuses[card.status]],
            [words.type, card.type],
          ]}
        />
      )}
      <Limits {...{ visit, card, limits, standing }} />
    </Page>
  )
}

/** What each of its charges, and all of them, may come to (CONSOLE-G9). */
const Limits: FC<Omit<CardProps, 'typed'>> = ({ visit, card, limits, standing }) => {
  const { frame, operates } = visit
  const words = chargeLimitTexts(frame)
  const each = card.sessionLimits && limitsText(frame, card.sessionLimits, undefined)
  return (
    <>
      <Panel title={words.budget}>
        {standing ? <Standing frame={frame} standing={standing} /> : <p class="soft">{words.none}</p>}
        {!operates && <Facts facts={[[words.eachCharge, each]]} />}
      </Panel>
      {operates && (
        <Form
          {...{ visit, action: ACTION, title: words.cardLimits, typed: limits, submit: words.save }}
          to={`${cardPath(frame, card.id)}/limits`}
          fields={cardFields(frame, card)}
        />
      )}
    </>
  )
}
