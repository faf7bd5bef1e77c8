import type { FC } from 'hono/jsx'
import type { Preview } from '../../application/tariffs/preview.ts'
import { RATE_NAMES, type RateName, textOfMicros } from '../../application/tariffs/rates.ts'
import { MICROS } from '../../application/tariffs/tariffs.ts'
import type { Tariff } from '../../domain/ports/storage-webhooks.ts'
import { currencyExponent } from '../../domain/sessions/figures/cost.ts'
import { Action } from '../../web/action.tsx'
import type { Typed } from '../../web/entries.tsx'
import { shownFigure } from '../../web/figures.tsx'
import { type Frame, Page } from '../../web/layout.tsx'
import { Table, TableCard, TextLink } from '../../web/parts/table.tsx'
import { Title } from '../../web/parts/title.tsx'
import { Ago } from '../../web/times.tsx'
import { Facts } from '../kit/facts.tsx'
import { type FieldGroup, FieldList, type Fields, Form, shownTyped } from '../kit/form.tsx'
import { tariffTexts } from '../kit/texts.ts'
import { shownCost } from '../shown-figures.tsx'
import type { Visit } from '../visit.tsx'

export const ACTION = 'tariffs'

export const TariffsPage: FC<{
  visit: Visit
  tariffs: readonly Tariff[]
  typed: Typed
  example: Example | undefined
}> = ({ visit, tariffs, typed, example }) => {
  const { frame, administrator } = visit
  const words = tariffTexts(frame)
  const path = `${frame.root}/tariffs`
  return (
    <Page frame={frame} title={frame.texts.tariffs} wide>
      <Title text={frame.texts.tariffs}>
        {administrator && (
          <Form
            visit={visit}
            action={ACTION}
            to={path}
            title={words.newTariff}
            folded={tariffs.length === 0 || typed.form.size > 0 ? 'open' : 'closed'}
            trial={`${path}/try`}
            typed={typed}
            once
            fields={[
              { name: 'chargePoint', label: words.chargePoint, hint: words.chargePointHint },
              ...ratesOf(words),
              exampleOf(frame, `${path}/try`, example),
            ]}
            submit={words.create}
          />
        )}
      </Title>
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
    </Page>
  )
}

function ratesOf(words: ReturnType<typeof tariffTexts>, tariff?: Tariff): Fields {
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

export interface Example {
  readonly preview: Preview
  readonly currency: string
}

/** @param trial where the form is sent to be priced; absent: it asks for its own page */
function exampleOf(frame: Frame, trial: string | undefined, example: Example | undefined): FieldGroup {
  const words = tariffTexts(frame)
  return {
    legend: trial === undefined ? undefined : words.preview,
    fields: [
      {
        beside: true,
        fields: [
          { name: 'energy', label: words.previewEnergy, value: '20', inputmode: 'decimal' },
          { name: 'minutes', label: words.previewMinutes, value: '60', inputmode: 'numeric' },
          { name: 'idle', label: words.previewIdle, value: '0', inputmode: 'numeric' },
        ],
      },
    ],
    more: (
      <>
        <button type="submit" formaction={trial} formnovalidate>
          {words.previewButton}
        </button>
        <div data-tried="example" role="status">
          {example && <PreviewTable frame={frame} {...example} />}
        </div>
      </>
    ),
  }
}

export const TariffPage: FC<{ visit: Visit; tariff: Tariff; typed: Typed; example: Example | undefined }> = ({
  visit,
  tariff,
  typed,
  example,
}) => {
  const { frame, administrator, csrf } = visit
  const words = tariffTexts(frame)
  const path = `${frame.root}/tariffs/${tariff.tariffId}`
  const changed = <Ago frame={frame} at={tariff.updatedAt} />
  const own = [exampleOf(frame, undefined, example)]
  return (
    <Page frame={frame} title={words.tariff}>
      <Title
        text={<bdi>{tariff.chargePointId ?? words.ofAccount}</bdi>}
        up={[[`${frame.root}/tariffs`, frame.texts.tariffs]]}
      >
        {administrator && (
          <Action
            to={`${path}/delete`}
            csrf={csrf(ACTION)}
            style="danger"
            ask={words.deleteTariffAsk}
            order={words.deleteOf(`${words.tariff} ${tariff.chargePointId ?? words.ofAccount}`)}
          >
            {words.delete}
          </Action>
        )}
      </Title>
      <Facts
        class="card"
        facts={[
          [words.version, [tariff.version, ' ', <span class="soft">{changed}</span>]],
          ...RATE_NAMES.map((name) => [words[name], `${shownRate(frame, tariff, name)} ${tariff.currency}`] as const),
        ]}
      />
      {administrator ? (
        <Form
          visit={visit}
          action={ACTION}
          to={path}
          title={words.edit}
          lead={words.versionHint}
          trial={`${path}/try`}
          typed={typed}
          fields={[...ratesOf(words, tariff), exampleOf(frame, `${path}/try`, example)]}
          submit={words.save}
        />
      ) : (
        <form class="card" method="get" action={path}>
          <h2>{words.preview}</h2>
          <FieldList fields={own} typed={shownTyped(frame, own, typed)} />
        </form>
      )}
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

function shownRate(frame: Frame, tariff: Tariff, name: RateName): string {
  const digits = rateText(tariff, name).split('.')[1]?.length ?? 0
  return shownFigure(frame, tariff[MICROS[name]] / 1e6, Math.max(digits, currencyExponent(tariff.currency)))
}
