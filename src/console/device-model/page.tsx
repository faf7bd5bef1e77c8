/** One variable of a charge point: looked at and set (CONSOLE-N2). */
import { unsettable, wantValue } from '../../application/intents/orders.ts'
import type { StoredVariable } from '../../domain/device-model/records.ts'
import { isSecretVariable, MASKED, nameText } from '../../domain/device-model/variable-names.ts'
import type { ChargePointView } from '../../domain/ports/storage-records.ts'
import { noSuch } from '../../domain/refuse.ts'
import { NOTHING_TYPED, type Options, Page, type Typed } from '../../web/entries.tsx'
import { Title } from '../../web/parts/table.tsx'
import { shownTime } from '../../web/times.tsx'
import { actingOnStation, actionOf, showingStation } from '../charge-points/own-charge-point.ts'
import type { ConsolePage, MountConsolePages } from '../console-parts.ts'
import { asOptions, Form, typedWith } from '../kit/form.tsx'
import { Facts, wordsIn } from '../kit/parts.tsx'
import { chargePointPath, queryText } from '../paths.ts'
import { again, type Visit } from '../visit.tsx'
import { mutabilityText, orderReport, readWhole, showVariables, variablesPath, withdraw } from './variables-page.tsx'

export const addVariablePages: MountConsolePages = (page) => {
  page('/charge-points/:chargePoint/variables', { GET: showVariables })
  page('/charge-points/:chargePoint/variable', { GET: showVariable, POST: setVariable })
  page('/charge-points/:chargePoint/reports', { POST: orderReport })
  page('/charge-points/:chargePoint/read-whole', { POST: readWhole })
  page('/charge-points/:chargePoint/intents/withdraw', { POST: withdraw })
}

const showVariable: ConsolePage = showingStation('operate', async (visit, view) => {
  const row = await rowOf(visit, view)
  return row && variablePage(visit, row)
})

const setVariable: ConsolePage = actingOnStation(async (visit, view, form) => {
  const row = await rowOf(visit, view)
  if (!row) return noSuch('variable')
  const done = await wantValue(visit.site, view, row, form.get('value') ?? '')
  if (!('refused' in done)) return variablesPath(view, row)
  return again(variablePage(visit, row, typedWith(form, done)), done)
})

function rowOf({ site, context }: Visit, { id }: ChargePointView): Promise<StoredVariable | undefined> {
  return site.reads.getRecord('variables', { chargePointId: id, key: context.req.query('key') ?? '' })
}

function variablePage(visit: Visit, row: StoredVariable, typed: Typed = NOTHING_TYPED) {
  const { frame, context } = visit
  const words = wordsIn('variables', frame)
  const station = chargePointPath(frame, row.chargePointId)
  const { dataType, unit, minLimit, maxLimit, valuesList, persistent, constant, supportsMonitoring } =
    row.characteristics
  const limits = [minLimit !== undefined && words.atLeast(minLimit), maxLimit !== undefined && words.atMost(maxLimit)]
  const yesOrNo = (said: boolean | undefined) => said !== undefined && (said ? words.yes : words.no)
  const cannot = unsettable(row)
  const isSecret = isSecretVariable({ ...row.name, ...row.characteristics })
  const field = { name: 'value', label: words.newValue, value: row.value === MASKED ? '' : row.value }
  return (
    <Page frame={frame} title={words.setVariable}>
      <Title
        text={<bdi class="host">{nameText(row.name)}</bdi>}
        up={[
          [station, row.chargePointId],
          [`${station}/variables`, words.variables],
        ]}
      />
      <Facts
        class="card"
        facts={[
          [words.present, row.value],
          [words.type, dataType],
          [words.unit, unit],
          [words.limits, limits.filter(Boolean).join(', ')],
          [words.values, valuesList],
          [words.mutability, mutabilityText(frame, row)],
          [words.constant, yesOrNo(constant)],
          [words.persistent, yesOrNo(persistent)],
          [words.supportsMonitoring, yesOrNo(supportsMonitoring)],
          [words.reported, shownTime(frame, row.updatedAt)],
        ]}
      />
      {cannot === undefined ? (
        <Form
          visit={visit}
          action={actionOf(context)}
          to={`${station}/variable${queryText({ key: row.key })}`}
          typed={typed}
          once
          lead={words.setHint}
          fields={[
            isSecret
              ? { ...field, hint: words.secretHint, type: 'password', autocomplete: 'new-password' }
              : { ...field, options: optionsOf(row) },
          ]}
          submit={words.save}
        />
      ) : (
        <p class="card warn">
          {words.cannot}: {cannot}.
        </p>
      )}
    </Page>
  )
}

/** What there is to choose between; undefined where anything may be typed. */
function optionsOf({ value = '', characteristics }: StoredVariable): Options | undefined {
  const { dataType = '', valuesList = '' } = characteristics
  const type = dataType.toLowerCase()
  const listed = valuesList.split(',').flatMap((option) => option.trim() || [])
  const offered = type === 'boolean' ? ['true', 'false'] : type === 'optionlist' ? listed : []
  if (offered.length === 0 || offered.length > MAX_OPTIONS) return undefined
  // A present value that is not offered is an option too, so that no other looks chosen.
  return asOptions(offered.includes(value) ? offered : [value, ...offered])
}

const MAX_OPTIONS = 100
