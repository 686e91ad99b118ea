/** What a page adds to the bar at the top while it is shown. */
import type { Snippet } from 'svelte';

class Frame {
  tools = $state.raw<Snippet | null>(null);
}

export const frame = new Frame();
