import type { FC } from 'hono/jsx'
import type { Preview } from '../../application/tariffs/preview.ts'
import { RATE_NAMES, type RateName, textOfMicros } from '../../application/tariffs/rates.ts'
import { MICROS } from '../../application/tariffs/tariffs.ts'
import type { Tariff } from '../../domain/ports/storage-webhooks.ts'
import { currencyExponent } from '../../domain/sessions/figures/cost.ts'
import { Action } from '../../web/action.tsx'
import { Submit, type Typed } from '../../web/entries.tsx'
import { shownFigure } from '../../web/figures.tsx'
import { type Frame, Page } from '../../web/layout.tsx'
import { Ago } from '../../web/times.tsx'
import { Facts } from '../kit/facts.tsx'
import { FieldList, type Fields, Form } from '../kit/form.tsx'
import { Way } from '../kit/list.tsx'
import { Table, TableCard, TextLink } from '../kit/table.tsx'
import { shownCost } from '../shown-figures.tsx'
import type { Visit } from '../visit.tsx'
import { tariffTexts } from './texts.ts'

type Words = ReturnType<typeof tariffTexts>

/** What the tokens of the forms are good for. */
export const ACTION = 'tariffs'

export const TariffsPage: FC<{ visit: Visit; tariffs: readonly Tariff[]; typed: Typed }> = ({
  visit,
  tariffs,
  typed,
}) => {
  const { frame, administrator } = visit
  const words = tariffTexts(frame)
  const path = `${frame.root}/tariffs`
  return (
    <Page frame={frame} title={frame.texts.tariffs} wide>
      <h1>{frame.texts.tariffs}</h1>
      <TableCard<Tariff>
        label={frame.texts.tariffs}
        oneLine
        rows={tariffs}
        empty={words.noTariffs}
        columns={[
          {
            title: words.tariff,
            whole: ({ chargePointId }) => chargePointId,
            cell: ({ tariffId, chargePointId }) => (
              <TextLink class="name-link" to={`${path}/${tariffId}`} text={chargePointId ?? words.ofAccount} />
            ),
          },
          { title: words.currency, width: 88, wideOnly: true, cell: ({ currency }) => currency },
          ...RATE_NAMES.map((name) => ({
            title: words[name],
            kind: 'number' as const,
            width: 160 as const,
            wideOnly: name !== 'perKwh',
            cell: (tariff: Tariff) => shownRate(frame, tariff, name),
          })),
        ]}
      />
      {administrator && (
        <Form
          visit={visit}
          action={ACTION}
          to={path}
          title={words.newTariff}
          typed={typed}
          once
          fields={[{ name: 'chargePoint', label: words.chargePoint, hint: words.chargePointHint }, ...ratesOf(words)]}
          submit={words.create}
        />
      )}
    </Page>
  )
}

function ratesOf(words: Words, tariff?: Tariff): Fields {
  return [
    { name: 'currency', label: words.currency, value: tariff?.currency ?? 'EUR', required: true },
    ...RATE_NAMES.map((name) => ({
      name,
      label: words[name],
      value: tariff && rateText(tariff, name),
      inputmode: 'decimal' as const,
      required: name === 'perKwh',
    })),
  ]
}

export const TariffPage: FC<{
  visit: Visit
  tariff: Tariff
  typed: Typed
  imagined: Typed
  preview: Preview | undefined
}> = ({ visit, tariff, typed, imagined, preview }) => {
  const { frame, administrator, csrf } = visit
  const words = tariffTexts(frame)
  const path = `${frame.root}/tariffs/${tariff.tariffId}`
  const number = { required: true, inputmode: 'decimal' } as const
  return (
    <Page frame={frame} title={words.tariff}>
      <h1>{tariff.chargePointId ?? words.ofAccount}</h1>
      <Facts
        class="card"
        facts={[
          [
            words.version,
            [
              tariff.version,
              ' ',
              <span class="soft">
                <Ago frame={frame} at={tariff.updatedAt} />
              </span>,
            ],
          ],
          ...RATE_NAMES.map((name) => [words[name], `${shownRate(frame, tariff, name)} ${tariff.currency}`] as const),
        ]}
      />
      <form class="card" method="get" action={path}>
        <h2>{words.preview}</h2>
        <FieldList
          typed={imagined}
          fields={[
            { name: 'energy', label: words.previewEnergy, value: '20', ...number },
            { name: 'minutes', label: words.previewMinutes, value: '60', inputmode: 'numeric' },
            { name: 'idle', label: words.previewIdle, value: '0', inputmode: 'numeric' },
          ]}
        />
        <Submit>{words.previewButton}</Submit>
        {preview && <PreviewTable frame={frame} preview={preview} currency={tariff.currency} />}
      </form>
      {administrator && (
        <>
          <Form
            visit={visit}
            action={ACTION}
            to={path}
            title={words.edit}
            lead={words.versionHint}
            typed={typed}
            fields={ratesOf(words, tariff)}
            submit={words.save}
          />
          <div class="card actions">
            <Action to={`${path}/delete`} csrf={csrf(ACTION)} style="danger" ask={words.deleteTariffAsk}>
              {words.delete}
            </Action>
          </div>
        </>
      )}
      <Way to={`${frame.root}/tariffs`} text={frame.texts.tariffs} />
    </Page>
  )
}

const PreviewTable: FC<{ frame: Frame; preview: Preview; currency: string }> = ({ frame, preview, currency }) => {
  const words = tariffTexts(frame)
  const names = { energy: words.perKwh, time: words.perMinute, session: words.perSession, idle: words.idlePerMinute }
  return (
    <Table
      plain
      rows={preview.parts}
      columns={[
        { heads: true, cell: ({ part }) => names[part] },
        { kind: 'number', cell: ({ amount }) => shownCost(frame, { cost: amount, currency }) },
      ]}
      foot={
        <tr>
          <th scope="row">{words.previewTotal}</th>
          <td class="number">
            <strong>{shownCost(frame, { cost: preview.total, currency })}</strong>
          </td>
        </tr>
      }
    />
  )
}

function rateText(tariff: Tariff, name: RateName): string {
  return textOfMicros(tariff[MICROS[name]])
}

/** As the language writes it, with at least the decimals of the currency. */
function shownRate(frame: Frame, tariff: Tariff, name: RateName): string {
  const digits = rateText(tariff, name).split('.')[1]?.length ?? 0
  return shownFigure(frame, tariff[MICROS[name]] / 1e6, Math.max(digits, currencyExponent(tariff.currency)))
}
