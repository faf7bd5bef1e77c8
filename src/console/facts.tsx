import type { FC, PropsWithChildren } from 'hono/jsx'

/** Names and values; what is not known is left out. `children` are more of them. */
export const Facts: FC<
  PropsWithChildren<{ facts: readonly (readonly [name: string, value: string | number | undefined])[] }>
> = ({ facts, children }) => (
  <dl>
    {facts.map(
      ([name, value]) =>
        value !== undefined &&
        value !== '' && (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        ),
    )}
    {children}
  </dl>
)
