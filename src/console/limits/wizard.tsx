/** Sharing a connection step by step: nothing is stored before the last button; it ends with a test (CONSOLE-G4). */
import { previewGroup } from '../../application/limit-groups/preview.ts'
import { refuseFault } from '../../domain/refuse.ts'
import { type Faults, NOTHING_TYPED, type Typed } from '../../web/entries.tsx'
import type { ConsolePage, MountConsolePages, OperatorContext } from '../console-parts.ts'
import { groupFormTexts } from '../kit/texts.ts'
import { acting, actingPage, again, type Shown, trying, type Visit } from '../visit.tsx'
import { groupFaults, readGroup, STEP_FIELDS, type StepName, stepOfFaults } from './group-form.ts'
import { PreviewPage, WizardPage } from './group-form-page.tsx'
import { choicesOf, newName, ownPath, put } from './group-forms.tsx'
import { WIZARD } from './paths.ts'
import { placeOf } from './place.ts'

const ACTION = 'share a connection'
const STEPS = Object.keys(STEP_FIELDS) as StepName[]
const ALL_STEPS: readonly string[] = [...STEPS, 'preview']

export const addWizard: MountConsolePages = (page, parts) => {
  page(WIZARD, { GET: showFirst, POST: finish(parts), names: 'name' })
  page(`${WIZARD}/next`, { POST: goOn(parts) })
}

const showFirst: ConsolePage = actingPage((visit) => stepPage(visit, 'connection', NOTHING_TYPED))

function goOn(parts: OperatorContext): ConsolePage {
  return trying(ACTION, async (visit, form): Promise<Shown> => {
    const from = ALL_STEPS.indexOf(form.get('step') ?? '')
    const { back, count } = visit.context.req.query()
    const shown = async (step: StepName | undefined, faults: Faults = {}): Promise<Shown> => ({
      page: await stepPage(visit, step ?? 'connection', { form, faults }, step === 'stations'),
      status: Object.keys(faults).length > 0 ? 400 : 200,
    })
    if (back !== undefined) return shown(STEPS[from - 1])
    const tried = await tryGroup(parts, visit, form)
    if (tried.faults) {
      const wrong = stepOfFaults(tried.faults)
      if (STEPS.indexOf(wrong) <= from) return shown(wrong, tried.faults)
    }
    if (count !== undefined) return shown(STEPS[from])
    if (tried.faults || from < STEPS.length - 1) return shown(STEPS[from + 1])
    return { page: <PreviewPage {...{ visit, action: ACTION, form, evses: tried.evses }} />, status: 200 }
  })
}

async function tryGroup(parts: OperatorContext, visit: Visit, form: URLSearchParams) {
  const [name, desired] = [await newName(visit, form), readGroup(form)]
  const refusals = [name, desired].flatMap((one) => (typeof one === 'object' && 'refused' in one ? [one] : []))
  if (refusals.length > 0 || typeof name !== 'string' || 'refused' in desired) {
    return { faults: Object.assign({}, ...refusals.map(groupFaults)) as Faults }
  }
  const evses = await previewGroup(placeOf(parts, visit), visit.accountId, name, desired)
  if ('refused' in evses) return { faults: groupFaults(evses) }
  const isEmpty = evses.length === 0 && desired.selector !== undefined
  const words = groupFormTexts(visit.frame)
  return isEmpty ? { faults: groupFaults(refuseFault('/ids', 'nobody', words.noUser)) } : { evses }
}

async function stepPage(visit: Visit, step: StepName, typed: Typed, counts = false) {
  return <WizardPage {...{ visit, action: ACTION, step, typed, choices: await choicesOf(visit, typed.form, counts) }} />
}

function finish(parts: OperatorContext): ConsolePage {
  return acting(ACTION, async (visit, form) => {
    const name = await newName(visit, form)
    const refusal = typeof name === 'string' ? await put(parts, visit, name, form) : name
    if (!refusal) return ownPath(String(name), '/test')
    const faults = groupFaults(refusal)
    return again(await stepPage(visit, stepOfFaults(faults), { form, faults }), refusal)
  })
}
