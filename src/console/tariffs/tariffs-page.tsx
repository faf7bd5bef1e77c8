import type { FC } from 'hono/jsx'
import type { Preview } from '../../application/tariffs/preview.ts'
import { RATE_NAMES, type RateName, textOfMicros } from '../../application/tariffs/rates.ts'
import { MICROS } from '../../application/tariffs/tariffs.ts'
import type { Tariff } from '../../domain/ports/storage-webhooks.ts'
import { Action } from '../../web/action.tsx'
import { Entry, Sealed, Submit, type Typed } from '../../web/entries.tsx'
import { type Frame, Page, shownTime } from '../../web/layout.tsx'
import { type AdministrationTexts, administrationTexts } from '../administration-texts.ts'
import { FormFault } from '../id-tokens/id-tokens-page.tsx'
import { operatorTexts } from '../texts.ts'

export const TariffsPage: FC<{
  frame: Frame
  tariffs: readonly Tariff[]
  typed: Typed
  /** Absent for who may only look. */
  form?: { readonly csrf: string; readonly once: string }
}> = ({ frame, tariffs, typed, form }) => {
  const words = administrationTexts(frame)
  const path = `${frame.root}/tariffs`
  return (
    <Page frame={frame} title={frame.texts.tariffs} wide>
      <h1>{frame.texts.tariffs}</h1>
      {tariffs.length === 0 ? (
        <p class="card soft">{words.noTariffs}</p>
      ) : (
        <Tariffs frame={frame} tariffs={tariffs} path={path} />
      )}
      {form && (
        <form class="card" method="post" action={path}>
          <h2>{words.newTariff}</h2>
          <FormFault typed={typed} />
          <Sealed {...form} />
          <Entry
            label={operatorTexts(frame).chargePoint}
            name="chargePoint"
            typed={typed}
            hint={words.chargePointHint}
          />
          <Rates words={words} typed={typed} />
          <Submit>{words.create}</Submit>
        </form>
      )}
    </Page>
  )
}

const Tariffs: FC<{ frame: Frame; tariffs: readonly Tariff[]; path: string }> = ({ frame, tariffs, path }) => {
  const words = administrationTexts(frame)
  return (
    <section class="card scrolls" aria-label={frame.texts.tariffs} tabindex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{words.tariff}</th>
            <th scope="col">{words.currency}</th>
            {RATE_NAMES.map((name) => (
              <th scope="col" class="number">
                {words[name]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {tariffs.map((tariff) => (
            <tr>
              <td>
                <a href={`${path}/${tariff.tariffId}`}>{tariff.chargePointId ?? words.ofAccount}</a>
              </td>
              <td>{tariff.currency}</td>
              {RATE_NAMES.map((name) => (
                <td class="number">{rateText(tariff, name)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const Rates: FC<{ words: AdministrationTexts; typed: Typed; tariff?: Tariff | undefined }> = ({
  words,
  typed,
  tariff,
}) => (
  <>
    <Entry label={words.currency} name="currency" typed={typed} value={tariff?.currency ?? 'EUR'} required />
    {RATE_NAMES.map((name) => (
      <Entry
        label={words[name]}
        name={name}
        typed={typed}
        value={tariff && rateText(tariff, name)}
        inputmode="decimal"
        required={name === 'perKwh'}
      />
    ))}
  </>
)

export const TariffPage: FC<{
  frame: Frame
  tariff: Tariff
  typed: Typed
  imagined: Typed
  preview?: Preview
  csrf?: string
}> = ({ frame, tariff, typed, imagined, preview, csrf }) => {
  const words = administrationTexts(frame)
  const path = `${frame.root}/tariffs/${tariff.tariffId}`
  return (
    <Page frame={frame} title={words.tariff}>
      <h1>{tariff.chargePointId ?? words.ofAccount}</h1>
      <dl class="card">
        <dt>{words.version}</dt>
        <dd>
          {tariff.version} <span class="soft">{shownTime(tariff.updatedAt)}</span>
        </dd>
        {RATE_NAMES.map((name) => (
          <>
            <dt>{words[name]}</dt>
            <dd>
              {rateText(tariff, name)} {tariff.currency}
            </dd>
          </>
        ))}
      </dl>
      <form class="card" method="get" action={path}>
        <h2>{words.preview}</h2>
        <Entry label={words.previewEnergy} name="energy" typed={imagined} value="20" inputmode="decimal" required />
        <Entry label={words.previewMinutes} name="minutes" typed={imagined} value="60" inputmode="numeric" />
        <Entry label={words.previewIdle} name="idle" typed={imagined} value="0" inputmode="numeric" />
        <Submit>{words.previewButton}</Submit>
        {preview && <PreviewTable words={words} preview={preview} currency={tariff.currency} />}
      </form>
      {csrf !== undefined && (
        <>
          <form class="card" method="post" action={path}>
            <h2>{words.change}</h2>
            <p class="soft">{words.versionHint}</p>
            <FormFault typed={typed} />
            <Sealed csrf={csrf} />
            <Rates words={words} typed={typed} tariff={tariff} />
            <Submit>{frame.texts.save}</Submit>
          </form>
          <div class="card actions">
            <Action to={`${path}/delete`} csrf={csrf} style="danger" ask={words.deleteTariffAsk}>
              {words.delete}
            </Action>
          </div>
        </>
      )}
      <p>
        <a href={`${frame.root}/tariffs`}>{frame.texts.tariffs}</a>
      </p>
    </Page>
  )
}

const PreviewTable: FC<{ words: AdministrationTexts; preview: Preview; currency: string }> = ({
  words,
  preview: { total, parts },
  currency,
}) => {
  const names = { energy: words.perKwh, time: words.perMinute, session: words.perSession, idle: words.idlePerMinute }
  return (
    <table>
      <tbody>
        {parts.map(({ part, amount }) => (
          <tr>
            <th scope="row">{names[part]}</th>
            <td class="number">
              {amount} {currency}
            </td>
          </tr>
        ))}
        <tr>
          <th scope="row">{words.previewTotal}</th>
          <td class="number">
            <strong>
              {total} {currency}
            </strong>
          </td>
        </tr>
      </tbody>
    </table>
  )
}

function rateText(tariff: Tariff, name: RateName): string {
  return textOfMicros(tariff[MICROS[name]])
}
