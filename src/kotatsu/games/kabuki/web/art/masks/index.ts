/** The ten drawings, by the name the box gives them. */
import type { Component } from 'svelte';
import Catfish from './Catfish.svelte';
import Demon from './Demon.svelte';
import Flame from './Flame.svelte';
import Fox from './Fox.svelte';
import Ghost from './Ghost.svelte';
import Hawk from './Hawk.svelte';
import Monkey from './Monkey.svelte';
import Moon from './Moon.svelte';
import Peony from './Peony.svelte';
import Spider from './Spider.svelte';

export const DRAWINGS: Record<string, Component> = {
  fox: Fox,
  flame: Flame,
  monkey: Monkey,
  catfish: Catfish,
  spider: Spider,
  ghost: Ghost,
  demon: Demon,
  hawk: Hawk,
  moon: Moon,
  peony: Peony,
};
