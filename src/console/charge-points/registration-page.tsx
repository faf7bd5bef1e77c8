import type { FC } from 'hono/jsx'
import type { Refusal } from '../../domain/ports/refusal.ts'
import { PROTOCOLS } from '../../ocpp/protocols.ts'
import { Sealed } from '../../web/entries.tsx'
import { Field, type Frame, Page } from '../../web/layout.tsx'
import { chargePointPath } from '../paths.ts'
import { operatorTexts } from '../texts.ts'
import { chargePointTexts } from './texts.ts'

interface FormProps {
  readonly frame: Frame
  readonly csrf: string
  readonly once: string
  /** What was typed, or what is stored. */
  readonly form: URLSearchParams
  readonly refusal?: Refusal
}

export const NewChargePointPage: FC<FormProps> = ({ frame, csrf, once, form, refusal }) => {
  const words = chargePointTexts(frame)
  return (
    <Page frame={frame} title={words.add}>
      <form class="card" method="post" action={`${frame.root}/new-charge-point`}>
        <h1>{words.add}</h1>
        <Sealed csrf={csrf} once={once} />
        {refusal && <Refused frame={frame} refusal={refusal} />}
        <Field label={words.identity} name="id" value={form.get('id') ?? ''} required />
        <p class="soft">{words.identityHint}</p>
        <Attributes frame={frame} form={form} />
        <label class="field">
          <span>{operatorTexts(frame).stationPassword}</span>
          <input name="password" value="" autocomplete="off" maxlength={40} />
        </label>
        <p class="soft">{words.passwordHint}</p>
        <div class="actions">
          <button class="main" type="submit">
            {words.add}
          </button>
        </div>
      </form>
    </Page>
  )
}

export const EditPage: FC<FormProps & { id: string }> = ({ frame, id, csrf, once, form, refusal }) => {
  const words = chargePointTexts(frame)
  const path = chargePointPath(frame, id)
  return (
    <Page frame={frame} title={`${words.edit} ${id}`}>
      <form class="card" method="post" action={`${path}/edit`}>
        <h1>
          {words.edit}{' '}
          <a class="host" href={path}>
            <bdi>{id}</bdi>
          </a>
        </h1>
        <input type="hidden" name="csrf" value={csrf} />
        {refusal && <Refused frame={frame} refusal={refusal} />}
        <Attributes frame={frame} form={form} />
        <label class="choice">
          <input type="checkbox" name="disabled" value="yes" checked={form.get('disabled') === 'yes'} />
          <span>{words.outOfUse}</span>
        </label>
        <div class="actions">
          <button class="main" type="submit">
            {words.save}
          </button>
        </div>
      </form>
      <form class="card" method="post" action={`${path}/password`}>
        <h2>{words.newPassword}</h2>
        <Sealed csrf={csrf} once={once} />
        <p class="soft">{words.passwordLead}</p>
        <label class="field">
          <span>{operatorTexts(frame).stationPassword}</span>
          <input name="password" value="" autocomplete="off" maxlength={40} />
        </label>
        <p class="soft">{words.passwordHint}</p>
        <button type="submit">{words.setPassword}</button>
      </form>
      <p>
        <a href={`${path}/delete`}>{words.deleteAsk}</a>
      </p>
    </Page>
  )
}

/** Shown once: nobody can read it again. */
export const PasswordPage: FC<{ frame: Frame; id: string; password: string; event: 'made' | 'changed' }> = ({
  frame,
  id,
  password,
  event,
}) => {
  const words = chargePointTexts(frame)
  return (
    <Page frame={frame} title={words.newPassword}>
      <div class="card">
        <h1>
          <bdi class="host">{id}</bdi>
        </h1>
        <p role="status">{words[event]}</p>
        <p>{words.passwordOnce}</p>
        <p>
          <input class="copied" readonly value={password} aria-label={operatorTexts(frame).stationPassword} />
        </p>
        <p>
          <a href={chargePointPath(frame, id)}>{words.goOn}</a>
        </p>
      </div>
    </Page>
  )
}

export const DeletionPage: FC<{ frame: Frame; id: string; csrf: string }> = ({ frame, id, csrf }) => {
  const words = chargePointTexts(frame)
  const path = chargePointPath(frame, id)
  return (
    <Page frame={frame} title={words.deleteAsk}>
      <form class="card" method="post" action={`${path}/delete`}>
        <h1>{words.deleteAsk}</h1>
        <input type="hidden" name="csrf" value={csrf} />
        <p>
          <bdi class="host">{id}</bdi>
        </p>
        <p>{words.deleteLead}</p>
        <div class="actions">
          <button class="danger" type="submit">
            {words.delete}
          </button>
          <a href={path}>{words.cancel}</a>
        </div>
      </form>
    </Page>
  )
}

const Attributes: FC<{ frame: Frame; form: URLSearchParams }> = ({ frame, form }) => {
  const words = chargePointTexts(frame)
  const value = (name: string): string => form.get(name) ?? ''
  return (
    <>
      <Field label={frame.texts.name} name="name" value={value('name')} />
      <label class="field">
        <span>{words.labels}</span>
        <textarea name="labels" spellcheck={false} aria-describedby="labels-hint">
          {`\n${value('labels')}`}
        </textarea>
      </label>
      <p class="soft" id="labels-hint">
        {words.labelsHint}
      </p>
      <Choice label={words.profile} name="securityProfile" chosen={value('securityProfile')} options={words.profiles} />
      <Choice
        label={words.protocols}
        name="protocols"
        chosen={value('protocols')}
        options={{ '': words.allProtocols, ...Object.fromEntries(PROTOCOLS.map((name) => [name, name])) }}
      />
      <Choice
        label={words.validation}
        name="validation"
        chosen={value('validation')}
        options={{ '': words.asConfigured, strict: 'strict', lenient: 'lenient', off: 'off' }}
      />
    </>
  )
}

export const Choice: FC<{
  label: string
  name: string
  chosen: string
  options: Readonly<Record<string, string>>
}> = ({ label, name, chosen, options }) => (
  <label class="field">
    <span>{label}</span>
    <select name={name}>
      {Object.entries(options).map(([value, text]) => (
        <option value={value} selected={value === chosen}>
          {text}
        </option>
      ))}
    </select>
  </label>
)

const Refused: FC<{ frame: Frame; refusal: Refusal }> = ({ frame, refusal: { detail, errors } }) => (
  <div class="warn" role="alert">
    <p>
      {chargePointTexts(frame).notSaved} {errors ? '' : detail}
    </p>
    <ul>
      {errors?.map(({ pointer, message }) => (
        <li>
          {pointer.slice(1)}: {message}
        </li>
      ))}
    </ul>
  </div>
)
