import css from './skeleton.module.css';

/** Placeholder rows of the size of those that load. */
export function SkeletonRows({ count }: { readonly count: number }) {
  return (
    <div aria-hidden="true">
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className={css.skeletonRow}>
          <span />
          <span />
          <span />
        </div>
      ))}
    </div>
  );
}
