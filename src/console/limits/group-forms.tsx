/** Limit groups are made, changed and deleted by forms with the rules of the API (CONSOLE-G3). */
import { groupsOfAccount } from '../../application/limit-groups/members.ts'
import { deleteGroup, putGroup } from '../../application/limit-groups/orders.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { refuseFault } from '../../domain/refuse.ts'
import { selectChargePoints } from '../../domain/selector.ts'
import { NOTHING_TYPED, Page, type Typed } from '../../web/entries.tsx'
import { Title } from '../../web/parts/table.tsx'
import { nameFault } from '../configuration/form.ts'
import type { ConsolePage, MountConsolePages } from '../console-parts.ts'
import { Form } from '../kit/form.tsx'
import { wordsIn } from '../kit/parts.tsx'
import { acting, actingPage, again, trying, type Visit } from '../visit.tsx'
import { type Choices, fieldsOf, formOf, groupFaults, readGroup, STEP_FIELDS, type StepName } from './group-form.ts'
import { actingOnGroup, actionOf, GROUPS, groupPath, NEW_GROUP, ownPath, showingGroup } from './place.ts'

const NEW = 'new limit group'

export const addGroupForms: MountConsolePages = (page) => {
  page(NEW_GROUP, { GET: showNew, POST: create, names: 'name' })
  page(`${NEW_GROUP}/try`, { POST: tryForm(NEW) })
  page(`${GROUPS}/:name/edit`, { GET: showEdit, POST: change })
  page(`${GROUPS}/:name/try`, { POST: tryForm(actionOf) })
  page(`${GROUPS}/:name/delete`, { POST: remove })
}

export async function newName(visit: Visit, form: URLSearchParams): Promise<string | Refusal> {
  const { site, accountId, frame } = visit
  const name = (form.get('name') ?? '').trim()
  const wrong = nameFault(name)
  if (wrong !== undefined) return refuseFault('/name', 'invalid_value', wrong)
  const isTaken = await site.reads.getRecord('limit_groups', { accountId, name })
  return isTaken ? refuseFault('/name', 'invalid_value', wordsIn('limitGroupForm', frame).taken) : name
}

export async function choicesOf(visit: Visit, form: URLSearchParams, counts: boolean): Promise<Choices> {
  const { site, accountId, context } = visit
  const parents = (await groupsOfAccount(site, accountId)).map(({ name }) => name)
  const desired = counts ? readGroup(form) : undefined
  const selector = desired && !('refused' in desired) ? desired.selector : undefined
  const selected = selector && (await selectChargePoints(site.reads, accountId, selector))
  return {
    parents: parents.filter((name) => name !== context.req.param('name')),
    selected: selected?.map(({ id }) => id),
  }
}

async function formPage(visit: Visit, typed: Typed, counts = false) {
  const { frame, context } = visit
  const name = context.req.param('name')
  const words = wordsIn('limitGroupForm', frame)
  const own = name === undefined ? undefined : groupPath(frame, name)
  const trial = `${own ?? frame.root + NEW_GROUP}/try`
  const given = { frame, typed, trial, named: name === undefined, ...(await choicesOf(visit, typed.form, counts)) }
  return (
    <Page frame={frame} title={name ?? words.make}>
      <Title
        text={name === undefined ? words.make : words.edit}
        up={[[frame.root + GROUPS, frame.texts.limits], own !== undefined && [own, name]]}
      />
      <Form
        visit={visit}
        action={name === undefined ? NEW : actionOf(context)}
        to={own ? `${own}/edit` : frame.root + NEW_GROUP}
        typed={typed}
        refused={words.notSaved}
        once
        fields={(Object.keys(STEP_FIELDS) as StepName[]).map((step) => ({
          legend: step === 'connection' ? undefined : words.steps[step],
          fields: fieldsOf(step, given),
        }))}
        submit={words.save}
        back={own ?? frame.root + GROUPS}
      />
    </Page>
  )
}

const showNew: ConsolePage = actingPage((visit) => formPage(visit, NOTHING_TYPED))

const showEdit: ConsolePage = showingGroup('operate', (visit, group) =>
  formPage(visit, { form: formOf(group), faults: {} }, true),
)

function tryForm(action: Parameters<typeof trying>[0]): ConsolePage {
  return trying(action, async (visit, form) => {
    const desired = readGroup(form)
    const faults = 'refused' in desired ? groupFaults(desired) : {}
    return { page: await formPage(visit, { form, faults }, true), status: 'refused' in desired ? 400 : 200 }
  })
}

const create: ConsolePage = acting(NEW, async (visit, form) => {
  const name = await newName(visit, form)
  const refusal = typeof name === 'string' ? await put(visit, name, form) : name
  if (refusal) return refused(visit, form, refusal)
  return ownPath(String(name), '/test')
})

const change: ConsolePage = actingOnGroup(async (visit, { name }, form) => {
  const refusal = await put(visit, name, form)
  return refusal ? refused(visit, form, refusal) : ownPath(name)
})

/** @returns why nothing was stored */
export async function put(visit: Visit, name: string, form: URLSearchParams): Promise<Refusal | undefined> {
  const desired = readGroup(form)
  const done = 'refused' in desired ? desired : await putGroup(visit.site, visit.accountId, name, desired)
  return 'refused' in done ? done : undefined
}

async function refused(visit: Visit, form: URLSearchParams, refusal: Refusal) {
  return again(await formPage(visit, { form, faults: groupFaults(refusal) }), refusal)
}

const remove: ConsolePage = actingOnGroup(async (visit, group) => (await deleteGroup(visit.site, group)) ?? GROUPS)
