import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import { language } from './i18n/i18n.svelte';
import { router } from './state/router.svelte';

language.start();
router.start();

const target = document.getElementById('app');
if (!target) throw new Error('the page has no place for the app');
mount(App, { target });
