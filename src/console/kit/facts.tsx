import type { Child, FC } from 'hono/jsx'

export type Fact = readonly [name: string, value: Child, style?: 'warn' | 'host']

/** Names and values; what is not known is left out. */
export const Facts: FC<{ facts: readonly Fact[]; class?: string; live?: string }> = ({ facts, class: style, live }) => (
  <dl class={style} data-live={live}>
    {facts.map(
      ([name, value, tone]) =>
        value !== undefined &&
        value !== '' &&
        value !== false && (
          <>
            <dt>{name}</dt>
            <dd class={tone}>{value}</dd>
          </>
        ),
    )}
  </dl>
)
