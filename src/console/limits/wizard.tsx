import type { FC } from 'hono/jsx'
import { type PreviewedEvse, previewGroup } from '../../application/limit-groups/orders.ts'
import { reasonText } from '../../application/limit-groups/reason-words.ts'
import { refuseFault } from '../../domain/refuse.ts'
import { type Faults, type Frame, NOTHING_TYPED, Page, type Typed } from '../../web/entries.tsx'
import { TableCard, TextLink, Title } from '../../web/parts/table.tsx'
import type { ConsolePage, MountConsolePages } from '../console-parts.ts'
import { Form } from '../kit/form.tsx'
import { Chip, wordsIn } from '../kit/parts.tsx'
import { chargePointPath } from '../paths.ts'
import { acting, actingPage, again, type Shown, trying, type Visit } from '../visit.tsx'
import { fieldsOf, groupFaults, readGroup, STEP_FIELDS, type StepName, stepOfFaults } from './group-form.ts'
import { choicesOf, newName, put } from './group-forms.tsx'
import { amps } from './group-page.tsx'
import { GROUPS, ownPath, WIZARD } from './place.ts'

/** Sharing a connection step by step: nothing is stored before the last button; it ends with a test (CONSOLE-G4). */
const ACTION = 'share a connection'
const STEPS = Object.keys(STEP_FIELDS) as StepName[]
const ALL_STEPS: readonly string[] = [...STEPS, 'preview']

export const addWizard: MountConsolePages = (page) => {
  page(WIZARD, { GET: showFirst, POST: finish, names: 'name' })
  page(`${WIZARD}/next`, { POST: goOn })
}

const showFirst: ConsolePage = actingPage((visit) => stepPage(visit, 'connection', NOTHING_TYPED))

const goOn: ConsolePage = trying(ACTION, async (visit, form): Promise<Shown> => {
  const from = ALL_STEPS.indexOf(form.get('step') ?? '')
  const { back, count } = visit.context.req.query()
  const shown = async (step: StepName | undefined, faults: Faults = {}): Promise<Shown> => ({
    page: await stepPage(visit, step ?? 'connection', { form, faults }, step === 'stations'),
    status: Object.keys(faults).length > 0 ? 400 : 200,
  })
  if (back !== undefined) return shown(STEPS[from - 1])
  const tried = await tryGroup(visit, form)
  if (tried.faults) {
    const wrong = stepOfFaults(tried.faults)
    if (STEPS.indexOf(wrong) <= from) return shown(wrong, tried.faults)
  }
  if (count !== undefined) return shown(STEPS[from])
  if (tried.faults || from < STEPS.length - 1) return shown(STEPS[from + 1])
  return { page: previewPage(visit, form, tried.evses), status: 200 }
})

async function tryGroup(visit: Visit, form: URLSearchParams) {
  const [name, desired] = [await newName(visit, form), readGroup(form)]
  const refusals = [name, desired].flatMap((one) => (typeof one === 'object' && 'refused' in one ? [one] : []))
  if (refusals.length > 0 || typeof name !== 'string' || 'refused' in desired) {
    return { faults: Object.assign({}, ...refusals.map(groupFaults)) as Faults }
  }
  const evses = await previewGroup(visit.site, visit.accountId, name, desired)
  if ('refused' in evses) return { faults: groupFaults(evses) }
  const isEmpty = evses.length === 0 && desired.selector !== undefined
  const words = wordsIn('limitGroupForm', visit.frame)
  return isEmpty ? { faults: groupFaults(refuseFault('/ids', 'invalid_value', words.matchesNone)) } : { evses }
}

const finish: ConsolePage = acting(ACTION, async (visit, form) => {
  const name = await newName(visit, form)
  const refusal = typeof name === 'string' ? await put(visit, name, form) : name
  if (!refusal) return ownPath(String(name), '/test')
  const faults = groupFaults(refusal)
  return again(await stepPage(visit, stepOfFaults(faults), { form, faults }), refusal)
})

async function stepPage(visit: Visit, step: StepName, typed: Typed, counts = false) {
  const { frame } = visit
  const words = wordsIn('limitGroupForm', frame)
  const to = `${frame.root}${WIZARD}/next`
  const choices = await choicesOf(visit, typed.form, counts)
  const hidden = carried(typed.form, (name) => !STEP_FIELDS[step].some((one: string) => one === name))
  return (
    <Page frame={frame} title={words.share}>
      <StepTitle frame={frame} step={step} />
      <Form
        visit={visit}
        action={ACTION}
        to={to}
        typed={typed}
        fields={fieldsOf(step, { frame, typed, trial: `${to}?count=yes`, ...choices, named: true })}
        submit={words.on}
        more={step !== 'connection' && <BackButton frame={frame} to={to} />}
        back={frame.root + GROUPS}
      >
        {[['step', step] as const, ...hidden].map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
      </Form>
    </Page>
  )
}

const BackButton: FC<{ frame: Frame; to: string }> = ({ frame, to }) => (
  <button type="submit" formaction={`${to}?back=yes`} formnovalidate>
    {wordsIn('limitGroupForm', frame).back}
  </button>
)

const StepTitle: FC<{ frame: Frame; step: StepName | 'preview' }> = ({ frame, step }) => {
  const words = wordsIn('limitGroupForm', frame)
  return (
    <Title
      text={words.stepOf(ALL_STEPS.indexOf(step) + 1, ALL_STEPS.length, words.steps[step])}
      said={words.share}
      up={[[frame.root + GROUPS, frame.texts.limits]]}
    />
  )
}

const OWN_FIELDS: ReadonlySet<string> = new Set(Object.values(STEP_FIELDS).flat())

function carried(form: URLSearchParams, requested: (name: string) => boolean): readonly (readonly [string, string])[] {
  return [...form].filter(([name]) => OWN_FIELDS.has(name) && requested(name))
}

/** Nothing is ordered before its button (CONSOLE-G4). */
function previewPage(visit: Visit, form: URLSearchParams, evses: readonly PreviewedEvse[]) {
  const { frame } = visit
  const words = wordsIn('limitGroupForm', frame)
  return (
    <Page frame={frame} title={words.share} wide>
      <StepTitle frame={frame} step="preview" />
      <TableCard<PreviewedEvse>
        label={words.steps.preview}
        heading={<bdi>{form.get('name')}</bdi>}
        before={<p class="soft">{words.previewLead}</p>}
        rows={evses}
        plain
        columns={[
          {
            title: words.evse,
            cell: ({ chargePointId, evseId, isOnline }) => (
              <>
                <TextLink to={chargePointPath(frame, chargePointId)} text={`${chargePointId} / ${evseId}`} />
                {!isOnline && <Chip tone="amber held" text={words.away} />}
              </>
            ),
          },
          { title: words.withNow, kind: 'number', cell: (evse) => amps(frame, evse.amps) },
          { title: words.withAll, kind: 'number', cell: (evse) => <b>{amps(frame, evse.amongAllAmps)}</b> },
          { title: words.fallback, kind: 'number', cell: ({ fallbackAmps }) => amps(frame, fallbackAmps) },
          { title: words.whyAll, cell: ({ amongAllReason }) => reasonText(amongAllReason, frame.language) },
        ]}
      />
      <Form
        visit={visit}
        action={ACTION}
        to={frame.root + WIZARD}
        once
        submit={words.order}
        more={<BackButton frame={frame} to={`${frame.root}${WIZARD}/next`} />}
        back={frame.root + GROUPS}
      >
        {[['step', 'preview'] as const, ...carried(form, () => true)].map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
      </Form>
    </Page>
  )
}
