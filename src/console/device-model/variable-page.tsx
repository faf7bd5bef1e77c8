import type { FC } from 'hono/jsx'
import type { StoredVariable } from '../../domain/device-model/records.ts'
import { isSecretVariable, MASKED } from '../../domain/device-model/secret-value.ts'
import { nameText } from '../../domain/device-model/variable-names.ts'
import type { Options, Typed } from '../../web/entries.tsx'
import { Page } from '../../web/layout.tsx'
import { Title } from '../../web/parts/title.tsx'
import { shownTime } from '../../web/times.tsx'
import { actionOf } from '../charge-points/own-charge-point.ts'
import { Facts } from '../kit/facts.tsx'
import { asOptions, Form } from '../kit/form.tsx'
import { type VariableTexts, variableTexts } from '../kit/texts.ts'
import { chargePointPath, queryText } from '../paths.ts'
import type { Visit } from '../visit.tsx'
import { mutabilityText } from './variables-page.tsx'

interface Props {
  readonly visit: Visit
  readonly row: StoredVariable
  readonly typed: Typed
  readonly cannot: string | undefined
}

export const VariablePage: FC<Props> = (props) => {
  const { visit, row, cannot } = props
  const { frame } = visit
  const words = variableTexts(frame)
  const station = chargePointPath(frame, row.chargePointId)
  const { dataType, unit, minLimit, maxLimit, valuesList, persistent, constant, supportsMonitoring } =
    row.characteristics
  const limits = [
    minLimit !== undefined ? words.atLeast(minLimit) : undefined,
    maxLimit !== undefined ? words.atMost(maxLimit) : undefined,
  ]
  return (
    <Page frame={frame} title={words.setVariable}>
      <Title
        text={<bdi class="host">{nameText(row.name)}</bdi>}
        up={[
          [station, row.chargePointId],
          [`${station}/variables`, words.variables],
        ]}
      />
      <div class="card">
        <Facts
          facts={[
            [words.present, row.value],
            [words.type, dataType],
            [words.unit, unit],
            [words.limits, limits.filter((limit) => limit !== undefined).join(', ')],
            [words.values, valuesList],
            [words.mutability, mutabilityText(frame, row)],
            [words.constant, yesOrNo(words, constant)],
            [words.persistent, yesOrNo(words, persistent)],
            [words.supportsMonitoring, yesOrNo(words, supportsMonitoring)],
            [words.reported, shownTime(frame, row.updatedAt)],
          ]}
        />
      </div>
      {cannot === undefined ? (
        <ValueForm {...props} />
      ) : (
        <p class="card warn">
          {words.cannot}: {cannot}.
        </p>
      )}
    </Page>
  )
}

function yesOrNo({ yes, no }: VariableTexts, said: boolean | undefined): string | undefined {
  return said === undefined ? undefined : said ? yes : no
}

const ValueForm: FC<Props> = ({ visit, row, typed }) => {
  const { frame, context } = visit
  const words = variableTexts(frame)
  const isSecret = isSecretVariable({ ...row.name, ...row.characteristics })
  const field = {
    name: 'value',
    label: words.newValue,
    value: row.value === MASKED ? '' : row.value,
    hint: isSecret ? words.secretHint : undefined,
    options: isSecret ? undefined : optionsOf(row),
  }
  return (
    <Form
      visit={visit}
      action={actionOf(context)}
      to={`${chargePointPath(frame, row.chargePointId)}/variable${queryText({ key: row.key })}`}
      typed={typed}
      once
      lead={words.setHint}
      fields={[isSecret ? { ...field, type: 'password', autocomplete: 'new-password' } : field]}
      submit={words.save}
    />
  )
}

/** What there is to choose between; undefined where anything may be typed. */
function optionsOf({ value = '', characteristics }: StoredVariable): Options | undefined {
  const { dataType = '', valuesList = '' } = characteristics
  const type = dataType.toLowerCase()
  const offered = type === 'boolean' ? ['true', 'false'] : type === 'optionlist' ? listed(valuesList) : []
  if (offered.length === 0 || offered.length > MAX_OPTIONS) return undefined
  // What is there now and is offered by nobody is shown as it is, so that nothing else looks chosen.
  const all = offered.includes(value) ? offered : [value, ...offered]
  return asOptions(all)
}

const MAX_OPTIONS = 100

function listed(valuesList: string): readonly string[] {
  return valuesList
    .split(',')
    .map((option) => option.trim())
    .filter((option) => option !== '')
}
