import type { FC } from 'hono/jsx'
import type { StoredVariable } from '../../domain/device-model/records.ts'
import { isSecretVariable, MASKED } from '../../domain/device-model/secret-value.ts'
import { nameText } from '../../domain/device-model/variable-names.ts'
import { Choice, Entry, Sealed, Submit, type Typed } from '../../web/entries.tsx'
import { type Frame, Page, shownTime } from '../../web/layout.tsx'
import { Warning } from '../../web/warning.tsx'
import { Facts } from '../facts.tsx'
import { chargePointPath, queryText } from '../paths.ts'
import { type VariableTexts, variableTexts } from './texts.ts'
import { mutabilityText } from './variables-page.tsx'

interface Props {
  readonly frame: Frame
  readonly row: StoredVariable
  readonly typed: Typed
  readonly csrf: string
  readonly once: string
  /** Why nobody sets it here. */
  readonly cannot: string | undefined
}

/** One variable: what is known of it, and a form that sets it as its model allows. */
export const VariablePage: FC<Props> = (props) => {
  const { frame, row, cannot } = props
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
      <h1>
        <bdi class="host">{nameText(row.name)}</bdi>
      </h1>
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
            [words.reported, shownTime(row.updatedAt)],
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
      <p>
        <a href={`${station}/variables`}>{words.back}</a>
      </p>
    </Page>
  )
}

function yesOrNo({ yes, no }: VariableTexts, said: boolean | undefined): string | undefined {
  return said === undefined ? undefined : said ? yes : no
}

const ValueForm: FC<Props> = ({ frame, row, typed, csrf, once }) => {
  const words = variableTexts(frame)
  const isSecret = isSecretVariable({ ...row.name, ...row.characteristics })
  const options = isSecret ? undefined : optionsOf(row)
  const value = row.value === MASKED ? '' : row.value
  const fault = typed.faults.form
  return (
    <form
      class="card"
      method="post"
      action={`${chargePointPath(frame, row.chargePointId)}/variable${queryText({ key: row.key })}`}
    >
      {fault !== undefined && <Warning>{fault}</Warning>}
      <Sealed csrf={csrf} once={once} />
      {options ? (
        <Choice label={words.newValue} name="value" typed={typed} value={value} options={options} />
      ) : (
        <Entry
          label={words.newValue}
          name="value"
          type={isSecret ? 'password' : 'text'}
          typed={typed}
          value={value}
          {...(isSecret && { hint: words.secretHint, autocomplete: 'new-password' })}
        />
      )}
      <p class="soft">{words.setHint}</p>
      <Submit>{words.save}</Submit>
    </form>
  )
}

/** What there is to choose between; undefined where anything may be typed. */
function optionsOf({ value = '', characteristics }: StoredVariable): Readonly<Record<string, string>> | undefined {
  const { dataType = '', valuesList = '' } = characteristics
  const type = dataType.toLowerCase()
  const offered = type === 'boolean' ? ['true', 'false'] : type === 'optionlist' ? listed(valuesList) : []
  if (offered.length === 0 || offered.length > MOST_OPTIONS) return undefined
  // What is there now and is offered by nobody is shown as it is, so that nothing else looks chosen.
  const all = offered.includes(value) ? offered : [value, ...offered]
  return Object.fromEntries(all.map((option) => [option, option]))
}

const MOST_OPTIONS = 100

function listed(valuesList: string): readonly string[] {
  return valuesList
    .split(',')
    .map((option) => option.trim())
    .filter((option) => option !== '')
}
