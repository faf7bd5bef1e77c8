import type { FC } from 'hono/jsx'
import type { Protocol } from '../../domain/ports/core.ts'
import { versions } from '../../ocpp/versions.ts'
import { Sealed, Submit } from '../../web/entries.tsx'
import { type Frame, Page } from '../../web/layout.tsx'
import { actionOf } from '../charge-points/own-charge-point.ts'
import { chargePointTexts } from '../charge-points/texts.ts'
import { TextLink } from '../kit/table.tsx'
import { chargePointPath } from '../paths.ts'
import type { Visit } from '../visit.tsx'
import { JSON_FIELD, type RequestField, requestFields } from './request-fields.ts'

interface Fault {
  readonly pointer: string
  readonly message: string
}

/** Any command of the station's version: first which one, then its fields (CONSOLE-A10). */
export const CommandPage: FC<{
  visit: Visit
  id: string
  /** Undefined: it has never connected. */
  protocol: Protocol | undefined
  /** What was typed. */
  form: URLSearchParams
  faults: readonly Fault[]
}> = ({ visit, id, protocol, form, faults }) => {
  const { frame, csrf, once, context } = visit
  const words = chargePointTexts(frame)
  const path = chargePointPath(frame, id)
  const method = form.get('method') ?? ''
  const fields = protocol && requestFields(protocol, method, frame.language)
  return (
    <Page frame={frame} title={words.anyCommand}>
      <h1>
        {words.anyCommand} <TextLink class="host" to={path} text={id} />
      </h1>
      {protocol === undefined ? (
        <p class="card">{words.never}</p>
      ) : (
        <form class="card inline" method="get" action={`${path}/command`}>
          <label>
            {words.command} ({protocol}){' '}
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
        <form class="card" method="post" action={`${path}/command`}>
          <h2>{method}</h2>
          <Sealed csrf={csrf(actionOf(context))} once={once()} />
          <input type="hidden" name="method" value={method} />
          {faults.length > 0 && <Wrong frame={frame} faults={faults} />}
          {fields.map((field) => (
            <Entry frame={frame} field={field} form={form} faults={faults} />
          ))}
          <details open={form.has(JSON_FIELD) && form.get(JSON_FIELD) !== ''}>
            <summary>{words.asJson}</summary>
            <label class="field">
              <span>JSON</span>
              <textarea name={JSON_FIELD} spellcheck={false}>
                {`\n${form.get(JSON_FIELD) ?? ''}`}
              </textarea>
            </label>
            <p class="soft">{words.asJsonHint}</p>
          </details>
          <Submit>{words.send}</Submit>
        </form>
      )}
    </Page>
  )
}

const Wrong: FC<{ frame: Frame; faults: readonly Fault[] }> = ({ frame, faults }) => (
  <div class="warn" role="alert">
    <p>{chargePointTexts(frame).notSent}</p>
    <ul>
      {faults.map(({ pointer, message }) => (
        <li>
          <code>{pointer.slice(1)}</code> {message}
        </li>
      ))}
    </ul>
  </div>
)

const Entry: FC<{ frame: Frame; field: RequestField; form: URLSearchParams; faults: readonly Fault[] }> = (props) => {
  const { frame, field, form, faults } = props
  const words = chargePointTexts(frame)
  const { pointer, name, kind, required, description, example, fields } = field
  if (kind === 'group') {
    return (
      <fieldset>
        <legend>
          {name} {required && <span class="soft">({words.required})</span>}
        </legend>
        {description !== undefined && <p class="soft">{description}</p>}
        {fields.map((member) => (
          <Entry frame={frame} field={member} form={form} faults={faults} />
        ))}
      </fieldset>
    )
  }
  const hint = `hint${pointer.replaceAll('/', '-')}`
  const isWrong = faults.some((fault) => fault.pointer === pointer || fault.pointer.startsWith(`${pointer}/`))
  return (
    <>
      <label class="field" for={`of${pointer}`}>
        <span>
          {name} {required && <span class="soft">({words.required})</span>}
        </span>
        <Control frame={frame} field={field} value={form.get(pointer) ?? ''} hint={hint} isWrong={isWrong} />
      </label>
      <p class="soft" id={hint}>
        {description} {kind === 'list' && words.listHint} {words.example}: <code>{example}</code>
      </p>
    </>
  )
}

const Control: FC<{ frame: Frame; field: RequestField; value: string; hint: string; isWrong: boolean }> = ({
  frame,
  field,
  value,
  hint,
  isWrong,
}) => {
  const { pointer, kind, required, options, maxLength } = field
  const common = {
    id: `of${pointer}`,
    name: pointer,
    'aria-describedby': hint,
    'aria-invalid': isWrong ? 'true' : undefined,
  } as const
  if (kind === 'choice' || kind === 'boolean') {
    const all = kind === 'boolean' ? ['true', 'false'] : options
    return (
      <select {...common}>
        {!required && <option value="">{chargePointTexts(frame).leaveOut}</option>}
        {all.map((option) => (
          <option value={option} selected={option === value}>
            {option}
          </option>
        ))}
      </select>
    )
  }
  if (kind === 'list' || (maxLength ?? 0) > 500) {
    return (
      <textarea {...common} spellcheck={false}>
        {`\n${value}`}
      </textarea>
    )
  }
  const inputmode = kind === 'number' ? 'decimal' : undefined
  return (
    <input
      {...common}
      value={value}
      inputmode={inputmode}
      maxlength={maxLength}
      autocomplete="off"
      autocapitalize="none"
    />
  )
}
