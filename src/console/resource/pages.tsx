/** List, page and forms that follow from the declaration of a resource, each fault beside its field (ADMIN-D1). */
import * as order from '../../application/resource/orders.ts'
import { may } from '../../domain/accounts/roles.ts'
import type { Tariff } from '../../domain/ports/storage-webhooks.ts'
import { formName } from '../../domain/resources/field.ts'
import * as declared from '../../domain/resources/resource.ts'
import { type Frame, NOTHING_TYPED, Page } from '../../web/entries.tsx'
import { TableCard, TextLink, Title } from '../../web/parts/table.tsx'
import { Ago } from '../../web/times.tsx'
import type { ConsolePage, MountConsolePages } from '../console-parts.ts'
import { Deletion, FieldList, Form, shownTyped, typedWith } from '../kit/form.tsx'
import { type Fact, Facts, wordsIn } from '../kit/parts.tsx'
import { described } from '../tariffs/described.tsx'
import * as tariffPreview from '../tariffs/preview.tsx'
import { again, ordering, showing, trying, type Visit } from '../visit.tsx'
import { called, controlsOf, inWords, STYLES, shownField } from './cells.ts'

type Row = declared.Row
type Shown = declared.Resource & ReturnType<typeof wordsOf>

/** Its words, and what can be tried in its form before anything is saved (ADMIN-H1). */
const wordsOf = () => ({
  words: (frame: Frame) => wordsIn('tariffs', frame),
  title: ({ texts }: Frame) => texts.tariffs,
  trial: tariffPreview,
  describe: (frame: Frame, row: Row) => described(frame, row as Tariff),
})
const PAGES: Readonly<Record<string, ReturnType<typeof wordsOf>>> = { Tariff: wordsOf() }

export function mountResource(resource: declared.Resource, page: Parameters<MountConsolePages>[0]): void {
  const own = PAGES[resource.name]
  if (!resource.pages || !own) return
  const of: Shown = { ...resource, ...own }
  const [path, { see, change }] = [declared.pathOf(of), of.rights]
  const each = `${path}/:${declared.idName(of)}`
  const attempt = trying(formOf(of), async (visit, form) => {
    const row = await rowOf(of, visit)
    const tried = of.trial.tryOut(visit.frame, order.readTyped(of, textsIn(of, form), !row), form)
    const shown = row ? onePage(of, visit, row, tried) : await listPage(of, visit, tried)
    return { page: shown, status: Object.keys(tried.faults).length === 0 ? 200 : 400 }
  })
  page(path, { GET: showing(see, (visit) => listPage(of, visit)), POST: saving(of, true) })
  page(`${path}/try`, { POST: attempt })
  page(each, {
    GET: showing(see, async (visit) => {
      const row = await rowOf(of, visit)
      return row && onePage(of, visit, row)
    }),
    POST: saving(of, false),
  })
  page(`${each}/try`, { POST: attempt })
  page(`${each}/delete`, {
    POST: ordering(change, formOf(of), async (visit) => {
      return (await order.remove(of, visit.site, visit.accountId, idIn(of, visit))) ?? path
    }),
  })
}

function saving(of: Shown, isNew: boolean): ConsolePage {
  return ordering(of.rights.change, formOf(of), async (visit, form) => {
    const { site, accountId } = visit
    const before = isNew ? undefined : await order.get(of, site.reads, accountId, idIn(of, visit))
    if (before && 'refused' in before) return before
    const saved = await order.save(of, site, accountId, textsIn(of, form), before)
    if (!('refused' in saved)) return `${declared.pathOf(of)}/${declared.idOf(of, saved)}`
    const typed = typedWith(form, saved)
    return again(before ? onePage(of, visit, before, typed) : await listPage(of, visit, typed), saved)
  })
}

async function listPage(of: Shown, visit: Visit, typed: tariffPreview.Tried = NOTHING_TYPED) {
  const { frame, site, accountId } = visit
  const [path, title, words] = [frame.root + declared.pathOf(of), of.title(frame), of.words(frame)]
  const rows = await of.store.list(site.reads, accountId)
  return (
    <Page frame={frame} title={title} wide>
      <Title text={title}>
        {mayChange(of, visit) && (
          <Form
            visit={visit}
            action={formOf(of)}
            to={path}
            title={words.newOne}
            folded={rows.length === 0 || typed.form.size > 0 ? 'open' : 'closed'}
            trial={`${path}/try`}
            typed={typed}
            once
            fields={[...controlsOf(frame, of), of.trial.group(frame, `${path}/try`, typed.outcome)]}
            submit={words.create}
          />
        )}
      </Title>
      <TableCard<Row>
        label={title}
        oneLine
        rows={rows}
        empty={words.noneYet}
        columns={columnsOf(of).map(([name, field]) =>
          name === of.calledBy
            ? {
                title: words.one,
                whole: (row) => declared.stored(row, name, field) as string | undefined,
                cell: (row) => (
                  <TextLink class="name-link" to={`${path}/${declared.idOf(of, row)}`} text={called(frame, of, row)} />
                ),
              }
            : {
                title: inWords(frame, field.label),
                ...STYLES[field.kind].column,
                wideOnly: !of.pages?.narrow.includes(name),
                cell: (row) => shownField(frame, of, row, name, field),
              },
        )}
      />
    </Page>
  )
}

function onePage(of: Shown, visit: Visit, row: Row, given?: tariffPreview.Tried) {
  const { frame } = visit
  const [words, list, name] = [of.words(frame), frame.root + declared.pathOf(of), called(frame, of, row)]
  const path = `${list}/${declared.idOf(of, row)}`
  const typed = given ?? of.trial.triedInAddress(visit, row, mayChange(of, visit))
  const group = (to?: string) => of.trial.group(frame, to, typed.outcome)
  return (
    <Page frame={frame} title={words.one}>
      <Title text={<bdi>{name}</bdi>} up={[[list, of.title(frame)]]}>
        {mayChange(of, visit) && (
          <Deletion visit={visit} action={formOf(of)} of={path} ask={words.deleteAsk} what={`${words.one} ${name}`} />
        )}
      </Title>
      <Facts class="card" facts={factsOf(of, frame, row)} />
      {of.describe(frame, row)}
      {mayChange(of, visit) ? (
        <Form
          visit={visit}
          action={formOf(of)}
          to={path}
          title={words.edit}
          lead={words.changeLead}
          trial={`${path}/try`}
          typed={typed}
          fields={[...controlsOf(frame, of, row), group(`${path}/try`)]}
          submit={words.save}
        />
      ) : (
        <form class="card" method="get" action={path}>
          <h2>{words.preview}</h2>
          <FieldList fields={[group()]} typed={shownTyped(frame, [group()], typed)} />
        </form>
      )}
    </Page>
  )
}

function factsOf(of: Shown, frame: Frame, row: Row): readonly Fact[] {
  const { version, updatedAt } = row as { readonly version?: number; readonly updatedAt?: number }
  const changed = <span class="soft">{updatedAt !== undefined && <Ago frame={frame} at={updatedAt} />}</span>
  const own = declared.visible(of).flatMap(([name, field]) => {
    const { isUnit, unit } = STYLES[field.kind]
    const text = shownField(frame, of, row, name, field)
    if (name === of.calledBy || isUnit || text === undefined) return []
    return [[inWords(frame, field.label), unit ? `${text} ${unit(row, of)}` : text] as const]
  })
  return [[of.words(frame).version, [version, ' ', changed]], ...own]
}

const columnsOf = (of: Shown) => declared.visible(of).filter(([, { kind }]) => kind !== 'json')
const formOf = (of: Shown): string => declared.pathOf(of).slice(1)
const idIn = (of: Shown, { context }: Visit): string => context.req.param(declared.idName(of)) ?? ''
const rowOf = (of: Shown, visit: Visit) => of.store.get(visit.site.reads, visit.accountId, idIn(of, visit))
const mayChange = ({ rights }: Shown, { user }: Visit): boolean => may(user.role, rights.change)
const textsIn = (of: Shown, form: URLSearchParams): order.Texts =>
  Object.fromEntries(
    declared.visible(of).map(([name, field]) => [name, form.get(formName(name, field))?.trim() || undefined]),
  )
