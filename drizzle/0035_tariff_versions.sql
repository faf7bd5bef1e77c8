CREATE TABLE `tariff_versions` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`place` text NOT NULL,
	`since` integer NOT NULL,
	`version` integer NOT NULL,
	`tariff_id` text NOT NULL,
	`rates` text,
	PRIMARY KEY(`account_id`, `place`, `since`, `version`)
);
--> statement-breakpoint
INSERT INTO `tariff_versions` SELECT 1, `account_id`, coalesce(`charge_point_id`, ''), `created_at`, `version`, `id`,
	json_object('currency', `currency`, 'perKwhMicros', `per_kwh_micros`, 'perMinuteMicros', `per_minute_micros`, 'perSessionMicros', `per_session_micros`, 'idlePerMinuteMicros', `idle_per_minute_micros`)
FROM `tariffs`;
