import type { FC } from 'hono/jsx'
import { ID_TOKEN_COLUMNS, ID_TOKEN_STATUSES, ID_TOKEN_TYPES } from '../../application/id-tokens/attributes.ts'
import type { IdToken } from '../../domain/ports/sessions.ts'
import { Action } from '../../web/action.tsx'
import { Choice, Entry, Lines, Sealed, Submit, type Typed } from '../../web/entries.tsx'
import { type Frame, Page, shownTime } from '../../web/layout.tsx'
import { TextCell } from '../../web/table.tsx'
import { Warning } from '../../web/warning.tsx'
import { type AdministrationTexts, administrationTexts } from '../administration-texts.ts'

export const CARD_FIELDS = ID_TOKEN_COLUMNS

/** The account's cards by id, with a search, a form for another one, and one for a file of them. */
export const CardsPage: FC<{
  frame: Frame
  cards: readonly IdToken[]
  query: string
  later: boolean
  next?: string
  imported?: readonly string[]
  /** Absent for who may only look. */
  form?: { readonly csrf: string; readonly once: string }
  typed: Typed
  file: Typed
}> = ({ frame, cards, query, later, next, imported, form, typed, file }) => {
  const words = administrationTexts(frame)
  const path = `${frame.root}/id-tokens`
  const [created = '', changed = '', unchanged = ''] = imported ?? []
  // What was refused stands before a list of hundreds.
  const isRefused = Object.keys({ ...typed.faults, ...file.faults }).length > 0
  const forms = form && (
    <>
      <form class="card" method="post" action={path}>
        <h2>{words.newCard}</h2>
        <FormFault typed={typed} />
        <Sealed {...form} />
        <Entry label={words.id} name="id" typed={typed} required />
        <Attributes words={words} typed={typed} />
        <Submit>{words.create}</Submit>
      </form>
      <form class="card" method="post" enctype="multipart/form-data" action={`${frame.root}/import/id-tokens`}>
        <h2>{words.importCards}</h2>
        <Sealed {...form} />
        <Entry label={words.csvFile} name="file" type="file" typed={withoutFile(file)} hint={words.importHint} />
        <Lines label={words.csv} name="csv" typed={file} />
        <Submit>{words.importButton}</Submit>
      </form>
    </>
  )
  return (
    <Page frame={frame} title={words.cards} wide>
      <h1>{words.cards}</h1>
      {imported && (
        <p class="card" role="status">
          {words.imported(created, changed, unchanged)}
        </p>
      )}
      <form class="card searchline" method="get" action={path}>
        <input type="search" name="q" value={query} aria-label={words.search} />
        <button type="submit">{words.search}</button>
      </form>
      {isRefused && forms}
      {cards.length === 0 ? (
        <p class="card soft">{words.noCards}</p>
      ) : (
        <Cards frame={frame} cards={cards} {...(form && { csrf: form.csrf })} />
      )}
      <p class="filters">
        {later && <a href={`${path}?${new URLSearchParams({ q: query })}`}>{words.first}</a>}
        {next !== undefined && (
          <a href={`${path}?${new URLSearchParams({ q: query, after: next })}`} rel="next">
            {words.next}
          </a>
        )}
      </p>
      {!isRefused && forms}
    </Page>
  )
}

/** A file is chosen anew each time; what it held stands in the text below. */
function withoutFile({ faults }: Typed): Typed {
  return { form: new URLSearchParams(), faults: faults.file === undefined ? {} : { file: faults.file } }
}

export const FormFault: FC<{ typed: Typed }> = ({ typed: { faults } }) =>
  faults.form === undefined ? null : <Warning>{faults.form}</Warning>

const Attributes: FC<{ words: AdministrationTexts; typed: Typed; card?: IdToken | undefined }> = ({
  words,
  typed,
  card,
}) => (
  <>
    <Choice
      label={words.type}
      name="type"
      typed={typed}
      value={card?.type ?? 'ISO14443'}
      options={Object.fromEntries(ID_TOKEN_TYPES.map((type) => [type, type]))}
    />
    <Choice
      label={words.status}
      name="status"
      typed={typed}
      value={card?.status ?? 'Accepted'}
      options={Object.fromEntries(ID_TOKEN_STATUSES.map((status) => [status, words.statuses[status] ?? status]))}
    />
    <Entry
      label={words.expires}
      name="expiresAt"
      typed={typed}
      value={card?.expiresAt === undefined ? '' : new Date(card.expiresAt).toISOString()}
      hint={words.expiresHint}
    />
    <Entry label={words.group} name="groupId" typed={typed} value={card?.groupId ?? ''} />
  </>
)

const Cards: FC<{ frame: Frame; cards: readonly IdToken[]; csrf?: string | undefined }> = ({ frame, cards, csrf }) => {
  const words = administrationTexts(frame)
  return (
    <section class="card scrolls" aria-label={words.cards} tabindex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{words.id}</th>
            <th scope="col">{words.status}</th>
            <th scope="col">{words.type}</th>
            <th scope="col">{words.group}</th>
            <th scope="col">{words.expires}</th>
            {csrf !== undefined && <th scope="col">{words.change}</th>}
          </tr>
        </thead>
        <tbody>
          {cards.map((card) => (
            <tr>
              <td class="host">
                <a href={cardPath(frame, card)}>
                  <bdi>{card.id}</bdi>
                </a>
              </td>
              <td>
                <span class={`chip ${card.status === 'Accepted' ? 'good' : 'bad'}`}>{words.statuses[card.status]}</span>
              </td>
              <td>{card.type}</td>
              <TextCell class="host" text={card.groupId} />
              <td class="time">{card.expiresAt !== undefined && shownTime(card.expiresAt)}</td>
              {csrf !== undefined && (
                <td>
                  <BlockOrAccept frame={frame} card={card} csrf={csrf} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const BlockOrAccept: FC<{ frame: Frame; card: IdToken; csrf: string }> = ({ frame, card, csrf }) => {
  const words = administrationTexts(frame)
  const blocks = card.status === 'Accepted'
  return (
    <Action to={`${cardPath(frame, card)}/${blocks ? 'block' : 'accept'}`} csrf={csrf}>
      {blocks ? words.block : words.accept}
    </Action>
  )
}

/** One card. @param csrf absent for who may only look */
export const CardPage: FC<{ frame: Frame; card: IdToken; typed: Typed; csrf?: string | undefined }> = ({
  frame,
  card,
  typed,
  csrf,
}) => {
  const words = administrationTexts(frame)
  const path = cardPath(frame, card)
  return (
    <Page frame={frame} title={words.card}>
      <h1 class="host">
        <bdi>{card.id}</bdi>
      </h1>
      {csrf === undefined ? (
        <dl class="card">
          <dt>{words.status}</dt>
          <dd>{words.statuses[card.status]}</dd>
          <dt>{words.type}</dt>
          <dd>{card.type}</dd>
        </dl>
      ) : (
        <>
          <form class="card" method="post" action={path}>
            <FormFault typed={typed} />
            <Sealed csrf={csrf} />
            <Attributes words={words} typed={typed} card={card} />
            <Submit>{frame.texts.save}</Submit>
          </form>
          <div class="card actions">
            <BlockOrAccept frame={frame} card={card} csrf={csrf} />
            <Action to={`${path}/delete`} csrf={csrf} style="danger" ask={words.deleteCardAsk}>
              {words.delete}
            </Action>
          </div>
        </>
      )}
      <p>
        <a href={`${frame.root}/id-tokens`}>{words.cards}</a>
      </p>
    </Page>
  )
}

function cardPath({ root }: Frame, { id }: IdToken): string {
  return `${root}/id-tokens/${encodeURIComponent(id)}`
}
