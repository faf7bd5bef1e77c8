/** Inputs of a group entered by hand: the building's load, and an external limit with its end (CONSOLE-G6). */
import type { FC } from 'hono/jsx'
import { endExternalLimit, putExternalLimit, putLoad } from '../../application/limit-groups/orders.ts'
import { PutExternalLimitSchema, PutLoadSchema } from '../../application/limit-groups/schemas.ts'
import type { GivenExternal, GivenLoad, LimitGroup, StoredInput } from '../../domain/limit-groups/records.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { Action, Page, type Typed } from '../../web/entries.tsx'
import { shownFigure } from '../../web/figures.tsx'
import { At } from '../../web/times.tsx'
import type { ConsolePage, MountConsolePages } from '../console-parts.ts'
import { checkedForm, type Field, Form, timeAfter, typedNumber, typedWith } from '../kit/form.tsx'
import { Facts, wordsIn } from '../kit/parts.tsx'
import { again, type Visit } from '../visit.tsx'
import { OfGroup } from './group-page.tsx'
import { actingOnGroup, actionOf, GROUPS, groupPath, ownPath, showingGroup } from './place.ts'

export const addInputPages: MountConsolePages = (page) => {
  page(`${GROUPS}/:name/inputs`, { GET: showInputs })
  page(`${GROUPS}/:name/load`, { POST: sayLoad })
  page(`${GROUPS}/:name/external-limit`, { POST: orderLimit })
  page(`${GROUPS}/:name/external-limit/end`, { POST: endLimit })
}

const showInputs: ConsolePage = showingGroup('operate', (visit, group) => inputsPage(visit, group))

const sayLoad: ConsolePage = actingOnGroup(async (visit, group, form) => {
  const amps = (form.get('amps') ?? '')
    .trim()
    .split(/[\s;]+/)
    .map((text) => Number(text.replace(',', '.') || Number.NaN))
  const body = {
    amps,
    excludesCharging: form.get('counts') === 'others',
    until: timeAfter(form, 'minutes', visit.site.now()) ?? '',
  }
  const asked = checkedForm(PutLoadSchema, body)
  const done = 'refused' in asked ? asked : await putLoad(visit.site, group, asked as GivenLoad)
  return 'refused' in done ? refused(visit, group, 'load', form, done) : ownPath(group.name)
})

const orderLimit: ConsolePage = actingOnGroup(async (visit, group, form) => {
  const unit = form.get('unit') === 'W' ? 'watts' : 'amps'
  const failSafe = typedNumber(form, 'failSafe')
  const asked = checkedForm(PutExternalLimitSchema, {
    [unit]: typedNumber(form, 'amount') ?? Number.NaN,
    source: form.get('source')?.trim(),
    until: timeAfter(form, 'minutes', visit.site.now()) ?? '',
    failSafe: failSafe === undefined ? undefined : { [unit]: failSafe },
  })
  const done = 'refused' in asked ? asked : await putExternalLimit(visit.site, group, asked as GivenExternal)
  return 'refused' in done ? refused(visit, group, 'external', form, done) : ownPath(group.name)
})

const endLimit: ConsolePage = actingOnGroup(async (visit, group) => {
  await endExternalLimit(visit.site, group)
  return ownPath(group.name)
})

/** What fields are called that say a member. */
const FIELD_OF = {
  load: { until: 'minutes' },
  external: { amps: 'amount', watts: 'amount', '': 'amount', until: 'minutes' },
} as const

async function refused(
  visit: Visit,
  group: LimitGroup,
  kind: StoredInput['kind'],
  form: URLSearchParams,
  refusal: Refusal,
) {
  return again(await inputsPage(visit, group, { [kind]: typedWith(form, refusal, FIELD_OF[kind]) }), refusal)
}

type Typeds = { readonly [Kind in StoredInput['kind']]?: Typed }

async function inputsPage(visit: Visit, { accountId, name }: LimitGroup, typed: Typeds = {}) {
  const [load, external] = await Promise.all(
    (['load', 'external'] as const).map((kind) =>
      visit.site.reads.getRecord('limit_group_inputs', { accountId, name, kind }),
    ),
  )
  const { frame, context, csrf } = visit
  const words = wordsIn('limitGroupInputs', frame)
  const action = actionOf(context)
  const minutes: Field = { name: 'minutes', label: words.minutes, value: '60', inputmode: 'numeric' }
  const form = { visit, action, refused: words.notDone, once: true }
  return (
    <Page frame={frame} title={words.title} wide>
      <OfGroup frame={frame} name={name} title={words.title} />
      <div class="halves">
        <div>
          <Form
            {...{ ...form, title: words.meter, lead: words.meterLead, typed: typed.load }}
            to={groupPath(frame, name, '/load')}
            fields={[
              { fields: [], more: <Said visit={visit} input={load} /> },
              { name: 'amps', label: words.reading, hint: words.readingHint },
              { name: 'counts', label: words.counts, value: 'whole', options: words.countsOf },
              minutes,
            ]}
            submit={words.say}
          />
        </div>
        <div>
          <Form
            {...{ ...form, title: words.external, lead: words.externalLead, typed: typed.external }}
            to={groupPath(frame, name, '/external-limit')}
            fields={[
              { fields: [], more: <Said visit={visit} input={external} /> },
              {
                beside: true,
                fields: [
                  { name: 'amount', label: words.amount, inputmode: 'decimal' },
                  { name: 'unit', label: words.unit, value: 'A', options: words.units },
                ],
              },
              { name: 'source', label: words.source, maxlength: 100 },
              minutes,
              { name: 'failSafe', label: words.failSafe, hint: words.failSafeHint, inputmode: 'decimal' },
            ]}
            submit={words.order}
          />
          {external && (
            <div class="card">
              <Action
                to={groupPath(frame, name, '/external-limit/end')}
                csrf={csrf(action)}
                ask={words.endAsk}
                text={words.end}
              />
            </div>
          )}
        </div>
      </div>
    </Page>
  )
}

const Said: FC<{ visit: Visit; input: StoredInput | undefined }> = ({ visit: { frame }, input }) => {
  const words = wordsIn('limitGroupInputs', frame)
  if (!input) return <p class="soft">{words.nothing}</p>
  const { given, at } = input
  const all = typeof given.amps === 'number' ? [given.amps] : (given.amps ?? [])
  const said =
    given.watts === undefined
      ? `${all.map((one) => shownFigure(frame, one, 1)).join(' · ')} A`
      : `${shownFigure(frame, given.watts)} W`
  return (
    <Facts
      facts={[
        [words.last, said],
        [words.source, 'source' in given && <bdi>{given.source}</bdi>],
        [words.time, <At frame={frame} at={at} />],
        [words.until, given.until <= frame.now ? words.over : <At frame={frame} at={given.until} />],
      ]}
    />
  )
}
