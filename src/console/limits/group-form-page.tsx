/** A limit group is made and changed by a form, or step by step; the fields are the same (CONSOLE-G3, CONSOLE-G4). */
import type { Child, FC, PropsWithChildren } from 'hono/jsx'
import type { PreviewedEvse } from '../../application/limit-groups/orders.ts'
import { reasonText } from '../../application/limit-groups/reason-words.ts'
import { STRATEGIES } from '../../domain/limit-groups/group.ts'
import { type Frame, type OptionPair, Page, type Typed } from '../../web/entries.tsx'
import { TableCard, TextLink, Title } from '../../web/parts/table.tsx'
import { type Fields, Form, namesAsOptions } from '../kit/form.tsx'
import { Chip, groupFormTexts } from '../kit/parts.tsx'
import { chargePointPath } from '../paths.ts'
import { selectorFields } from '../selector/choosing.tsx'
import type { Visit } from '../visit.tsx'
import { STEP_FIELDS, type StepName } from './group-form.ts'
import { amps } from './group-page.tsx'
import { GROUPS, groupPath, NEW_GROUP, WIZARD } from './place.ts'

export interface Choices {
  readonly parents: readonly string[]
  readonly selected?: readonly string[] | undefined
}

interface FieldsProps extends Choices {
  readonly frame: Frame
  readonly typed: Typed
  readonly trial: string
  readonly named?: boolean | undefined
}

function fieldsOf(step: StepName, { frame, typed, trial, parents, selected, named }: FieldsProps): Fields {
  const words = groupFormTexts(frame)
  switch (step) {
    case 'connection':
      return [
        named && { name: 'name', label: words.name, hint: words.nameHint, required: true, maxlength: 64 },
        {
          beside: true,
          hint: words.limitHint,
          fields: [
            { name: 'limit', label: words.limit, inputmode: 'decimal', required: true },
            { name: 'unit', label: words.unit, value: 'A', options: words.units },
            { name: 'phases', label: words.phases, value: '3', options: choice(['3', '1'], words.phasesOf) },
          ],
        },
        { name: 'bufferAmps', label: words.bufferAmps, hint: words.bufferHint, inputmode: 'decimal' },
        parents.length > 0 && {
          name: 'parent',
          label: words.parent,
          options: [['', words.noParent], ...namesAsOptions(frame, parents)],
        },
      ]
    case 'stations':
      return [
        { name: 'own', label: words.own, value: 'chosen', options: words.ownOf },
        selectorFields(frame, typed, trial, selected),
      ]
    case 'sharing':
      return [
        { name: 'strategy', label: words.strategy, value: 'equal', options: choice(STRATEGIES, words.strategies) },
        { name: 'minAmps', label: words.minAmps, hint: words.minAmpsHint, inputmode: 'decimal' },
        { name: 'fallbackAmps', label: words.fallbackAmps, hint: words.fallbackHint, inputmode: 'decimal' },
        { name: 'safeAmps', label: words.safeAmps, hint: words.safeHint, inputmode: 'decimal' },
        { name: 'minWatts', label: words.minWatts, hint: words.minWattsHint, inputmode: 'decimal' },
        { name: 'leaseSeconds', label: words.leaseSeconds, hint: words.leaseHint, inputmode: 'numeric' },
      ]
  }
}

/** In the order that is given: numbers as names would come first by themselves. */
function choice(names: readonly string[], words: Readonly<Record<string, string>>): readonly OptionPair[] {
  return names.map((name) => [name, words[name] ?? name])
}

export const GroupFormPage: FC<{
  readonly visit: Visit
  readonly action: string
  readonly name: string | undefined
  readonly typed: Typed
  readonly choices: Choices
}> = ({ visit, action, name, typed, choices }) => {
  const { frame } = visit
  const words = groupFormTexts(frame)
  const own = name === undefined ? undefined : groupPath(frame, name)
  const trial = own ? `${own}/try` : `${frame.root}${NEW_GROUP}/try`
  const props = { frame, typed, trial, ...choices, named: name === undefined }
  return (
    <Page frame={frame} title={name ?? words.make}>
      <Title
        text={name === undefined ? words.make : words.edit}
        up={[[frame.root + GROUPS, frame.texts.limits], own !== undefined && [own, name]]}
      />
      <Form
        visit={visit}
        action={action}
        to={own ? `${own}/edit` : `${frame.root}${NEW_GROUP}`}
        typed={typed}
        refused={words.notSaved}
        once
        fields={(Object.keys(STEP_FIELDS) as StepName[]).map((step) => ({
          legend: step === 'connection' ? undefined : words.steps[step],
          fields: fieldsOf(step, props),
        }))}
        submit={words.save}
        back={own ?? frame.root + GROUPS}
      />
    </Page>
  )
}

const STEPS = ['connection', 'stations', 'sharing', 'preview'] as const

export const WizardPage: FC<{
  readonly visit: Visit
  readonly action: string
  readonly step: StepName
  readonly typed: Typed
  readonly choices: Choices
}> = ({ visit, action, step, typed, choices }) => {
  const { frame } = visit
  const words = groupFormTexts(frame)
  const to = `${frame.root}${WIZARD}/next`
  const hidden = carried(typed.form, (name) => !STEP_FIELDS[step].some((one: string) => one === name))
  return (
    <Page frame={frame} title={words.share}>
      <StepTitle frame={frame} step={step} />
      <Form
        visit={visit}
        action={action}
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
    {groupFormTexts(frame).back}
  </button>
)

const StepTitle: FC<{ frame: Frame; step: (typeof STEPS)[number] }> = ({ frame, step }) => {
  const words = groupFormTexts(frame)
  return (
    <Title
      text={words.stepOf(STEPS.indexOf(step) + 1, STEPS.length, words.steps[step])}
      said={words.share}
      up={[[frame.root + GROUPS, frame.texts.limits]]}
    />
  )
}

const OWN_FIELDS: ReadonlySet<string> = new Set(Object.values(STEP_FIELDS).flat())

function carried(form: URLSearchParams, requested: (name: string) => boolean): readonly (readonly [string, string])[] {
  return [...form].filter(([name]) => OWN_FIELDS.has(name) && requested(name))
}

type PreviewPageProps = { visit: Visit; action: string; form: URLSearchParams; evses: readonly PreviewedEvse[] }

/** Nothing is ordered before its button (CONSOLE-G4). */
export const PreviewPage: FC<PreviewPageProps> = ({ visit, action, form, evses }) => {
  const { frame } = visit
  const words = groupFormTexts(frame)
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
        action={action}
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

type OfGroupProps = PropsWithChildren<{ frame: Frame; name: string; title: Child }>

export const OfGroup: FC<OfGroupProps> = ({ frame, name, title, children }) => (
  <Title
    text={title}
    up={[
      [frame.root + GROUPS, frame.texts.limits],
      [groupPath(frame, name), name],
    ]}
  >
    {children}
  </Title>
)
