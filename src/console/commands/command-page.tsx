import type { FC } from 'hono/jsx'
import type { Protocol } from '../../domain/ports/core.ts'
import { protocolName } from '../../ocpp/protocols.ts'
import { versions } from '../../ocpp/versions.ts'
import type { OptionPair } from '../../web/entries.tsx'
import { Page } from '../../web/layout.tsx'
import { Title } from '../../web/parts/title.tsx'
import { actionOf } from '../charge-points/own-charge-point.ts'
import { asOptions, type Field, type FieldGroup, Form } from '../kit/form.tsx'
import { type ChargePointTexts, chargePointTexts } from '../kit/texts.ts'
import { type FormFault, faultsAt } from '../kit/typed.ts'
import { chargePointPath } from '../paths.ts'
import type { Visit } from '../visit.tsx'
import { JSON_FIELD, type RequestField, requestFields } from './request-fields.ts'

/** Any command of the station's version: first which one, then its fields (CONSOLE-A10). */
export const CommandPage: FC<{
  visit: Visit
  id: string
  protocol: Protocol | undefined
  form: URLSearchParams
  faults: readonly FormFault[]
}> = ({ visit, id, protocol, form, faults }) => {
  const { frame, context } = visit
  const words = chargePointTexts(frame)
  const path = chargePointPath(frame, id)
  const method = form.get('method') ?? ''
  const fields = protocol && requestFields(protocol, method, frame.language)
  return (
    <Page frame={frame} title={words.anyCommand}>
      <Title
        text={words.anyCommand}
        up={[
          [`${frame.root}/charge-points`, frame.texts.stations],
          [path, id],
        ]}
      />
      {protocol === undefined ? (
        <p class="card">{words.never}</p>
      ) : (
        <form class="card inline" method="get" action={`${path}/command`}>
          <label>
            {words.command} ({protocolName(protocol)}){' '}
            <select name="method">
              {Object.keys(versions[protocol].toChargePoint)
                .toSorted()
                .map((name) => (
                  <option value={name} selected={name === method}>
                    {name}
                  </option>
                ))}
            </select>
          </label>
          <button type="submit">{words.choose}</button>
        </form>
      )}
      {fields && (
        <Form
          visit={visit}
          action={actionOf(context)}
          to={`${path}/command`}
          title={method}
          typed={{ form, faults: faultsAt(faults) }}
          refused={words.notSent}
          once
          fields={[
            ...fields.map((field) => declared(field, words)),
            {
              folded: { title: words.asJson, open: (form.get(JSON_FIELD) ?? '') !== '' },
              fields: [{ name: JSON_FIELD, label: 'JSON', hint: words.asJsonHint, lines: true }],
            },
          ]}
          submit={words.send}
        >
          <input type="hidden" name="method" value={method} />
        </Form>
      )}
    </Page>
  )
}

function declared(field: RequestField, words: ChargePointTexts): Field | FieldGroup {
  const { pointer, name, kind, required, description, example, options, maxLength, fields } = field
  const label = required ? `${name} (${words.required})` : name
  if (kind === 'group') return { legend: label, hint: description, fields: fields.map((one) => declared(one, words)) }
  const offered = kind === 'boolean' ? ['true', 'false'] : kind === 'choice' ? options : undefined
  const leftOut: readonly OptionPair[] = required ? [] : [['', words.leaveOut]]
  return {
    name: pointer,
    label,
    hint: [`${description ?? ''} ${kind === 'list' ? words.listHint : ''} ${words.example}: `, <code>{example}</code>],
    options: offered && [...leftOut, ...asOptions(offered)],
    lines: kind === 'list' || (maxLength ?? 0) > 500,
    maxlength: maxLength,
    inputmode: kind === 'number' ? 'decimal' : undefined,
  }
}
