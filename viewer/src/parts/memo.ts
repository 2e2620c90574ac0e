import { Component, type ComponentType, type FunctionComponent } from "preact";

/** A component that is redrawn only when one of its properties changes. */
export function memo<P extends object>(Draw: FunctionComponent<P>): ComponentType<P> {
  return class extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      const now = this.props as P;
      return (Object.keys(next) as (keyof P)[]).some((key) => next[key] !== now[key]);
    }
    override render(props: P) {
      return Draw(props);
    }
  };
}
