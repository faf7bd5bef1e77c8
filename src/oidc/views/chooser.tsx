/** Charge points: all, or some of a searchable list with live state (OIDC-C3, OIDC-N1). Works without JavaScript. */
import type { FC } from 'hono/jsx'
import type { Texts } from '../../web/texts.ts'

export interface Choice {
  readonly id: string
  readonly name?: string | undefined
  readonly online: boolean
  readonly connectors: readonly { readonly id: string; readonly status: string }[]
}

export interface ChooserProps {
  readonly texts: Texts
  readonly choices: readonly Choice[]
  readonly all: boolean
  readonly chosen: ReadonlySet<string>
  readonly query: string
}

/** Enough to scroll through; the search finds the rest. */
const MAX_SHOWN = 200

export const Chooser: FC<ChooserProps> = ({ texts, choices, all, chosen, query }) => {
  const shown = choices.filter((choice) => matches(choice, query)).slice(0, MAX_SHOWN)
  const hidden = [...chosen].filter((id) => !shown.some((choice) => choice.id === id))
  return (
    <fieldset>
      <legend>{texts.shareTitle}</legend>
      <label class="choice">
        <input type="radio" name="share" value="all" checked={all} />
        {texts.shareAll}
      </label>
      <label class="choice">
        <input type="radio" name="share" value="chosen" checked={!all} />
        {texts.shareChosen}
      </label>
      <div class="searchline">
        <input type="search" name="query" value={query} aria-label={texts.searchLabel} />
        <button type="submit" name="decision" value="search">
          {texts.search}
        </button>
      </div>
      {hidden.length > 0 && <p class="soft">{texts.chosenCount(hidden.length)}</p>}
      {hidden.map((id) => (
        <input type="hidden" name="chargePoint" value={id} />
      ))}
      <ul class="choices scroll">
        {shown.length === 0 && <li class="soft">{choices.length === 0 ? texts.noChargePoints : texts.noMatches}</li>}
        {shown.map((choice) => (
          <li>
            <label>
              <input type="checkbox" name="chargePoint" value={choice.id} checked={chosen.has(choice.id)} />
              <span>
                <bdi>{choice.name ?? choice.id}</bdi> <span class="soft">{stateOf(choice, texts)}</span>
              </span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  )
}

function matches({ id, name }: Choice, query: string): boolean {
  const requested = query.trim().toLowerCase()
  return requested === '' || `${id} ${name ?? ''}`.toLowerCase().includes(requested)
}

function stateOf({ id, name, online, connectors }: Choice, texts: Texts): string {
  const states = connectors.map((connector) => texts.connectorState(connector.id, connector.status))
  return [...(name === undefined ? [] : [id]), online ? texts.online : texts.offline, ...(online ? states : [])].join(
    ' · ',
  )
}
